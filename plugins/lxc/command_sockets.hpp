// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "container_name.hpp"

namespace penstock::lxc {

// A listening abstract socket with a name as liblxc makes them.
struct CommandSocket {
    std::uint64_t inode = 0;
    std::string address; // "/var/lib/lxc/web/command", "lxc/0123456789abcdef/command"
};

// Reads the text of /proc/net/unix. Any user may bind any abstract name, and a name may hold a newline that fakes a
// line: an address is a rumour until a verified process is seen to hold the inode.
std::vector<CommandSocket> parse_command_sockets(std::string_view net_unix);

} // namespace penstock::lxc
