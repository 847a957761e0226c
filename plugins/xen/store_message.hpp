// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::xen {

// xenstore's protocol, as docs/misc/xenstore.txt and xen/io/xs_wire.h of Xen define it: a header of four numbers in the
// host's byte order, then a payload of at most 4096 bytes.
enum class MessageType : std::uint32_t { directory = 1, read = 2, error = 16, directory_part = 22 };

struct MessageHeader {
    std::uint32_t type, request, transaction, length;
};
inline constexpr std::size_t payload_max = 4096;

struct Message {
    std::uint32_t type = 0;
    std::uint32_t request = 0;
    std::string payload;

    bool is_error() const { return type == static_cast<std::uint32_t>(MessageType::error); }
    // "ENOENT" and so on, of an error.
    std::string_view error() const { return std::string_view{payload}.substr(0, payload.find('\0')); }
};

// Adds a question to `out`. `arguments` end with NUL where the protocol wants them to.
void append_message(std::string& out, MessageType type, std::uint32_t request, std::string_view arguments);

// Takes the first whole message out of `in` at `at`. Nothing: there is none yet. `malformed`: there will never be one.
std::optional<Message> take_message(std::string_view in, std::size_t& at, bool& malformed);

// What stands between the NULs of a listing. Empty parts, which no node is called, are left out.
std::vector<std::string> names_in(std::string_view listing);

} // namespace penstock::xen
