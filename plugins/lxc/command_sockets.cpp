// SPDX-License-Identifier: Apache-2.0
#include "command_sockets.hpp"

#include "text.hpp"

#include <penstock/text.hpp>

namespace penstock::lxc {

namespace {

constexpr std::string_view suffix = "/command";
constexpr std::size_t sockets_cap = 100'000;

std::string_view take_word(std::string_view& line) {
    const auto from = line.find_first_not_of(' ');
    if (from == std::string_view::npos) return line = {};
    line.remove_prefix(from);
    return take_until(line, ' ');
}

std::optional<CommandSocket> parse_line(std::string_view line) {
    // Num: RefCount Protocol Flags Type St Inode Path
    if (!line.ends_with(suffix)) return std::nullopt;
    std::string_view words[7];
    for (auto& word : words) word = take_word(line);
    constexpr std::string_view accepting = "00010000", stream = "0001";
    if (words[3] != accepting || words[4] != stream || !line.starts_with('@')) return std::nullopt;
    const auto inode = sdk::number<std::uint64_t>(words[6]);
    if (!inode) return std::nullopt;
    CommandSocket socket{*inode, std::string{line.substr(1)}};
    if (!parse_command_address(socket.address) && !socket.address.starts_with("lxc/")) return std::nullopt;
    return socket;
}

} // namespace

std::vector<CommandSocket> parse_command_sockets(std::string_view net_unix) {
    std::vector<CommandSocket> sockets;
    while (!net_unix.empty() && sockets.size() < sockets_cap) {
        if (auto socket = parse_line(take_until(net_unix, '\n'))) sockets.push_back(std::move(*socket));
    }
    return sockets;
}

} // namespace penstock::lxc
