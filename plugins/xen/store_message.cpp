// SPDX-License-Identifier: Apache-2.0
#include "store_message.hpp"

#include <penstock/text.hpp>

#include <cstring>

namespace penstock::xen {

void append_message(std::string& out, MessageType type, std::uint32_t request, std::string_view arguments) {
    const MessageHeader header{static_cast<std::uint32_t>(type), request, 0,
                               static_cast<std::uint32_t>(arguments.size())};
    out.append(reinterpret_cast<const char*>(&header), sizeof header);
    out.append(arguments);
}

std::optional<Message> take_message(std::string_view in, std::size_t& at, bool& malformed) {
    MessageHeader header;
    if (in.size() - at < sizeof header) return std::nullopt;
    std::memcpy(&header, in.data() + at, sizeof header);
    if (header.length > payload_max) {
        malformed = true;
        return std::nullopt;
    }
    if (in.size() - at - sizeof header < header.length) return std::nullopt;
    Message message{header.type, header.request, std::string{in.substr(at + sizeof header, header.length)}};
    at += sizeof header + header.length;
    return message;
}

std::vector<std::string> names_in(std::string_view listing) {
    std::vector<std::string> names;
    for (const auto name : sdk::split(listing, '\0')) {
        if (!name.empty()) names.emplace_back(name);
    }
    return names;
}

} // namespace penstock::xen
