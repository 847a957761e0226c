// SPDX-License-Identifier: Apache-2.0
#include "command_sockets.hpp"

#include "catch.hpp"
#include "data.hpp"

#include <algorithm>

using namespace penstock::lxc;

TEST_CASE("the command sockets of a real host") {
    std::vector<std::string> addresses;
    for (const auto& socket : parse_command_sockets(captured("net-unix"))) addresses.push_back(socket.address);
    CHECK(addresses == std::vector<std::string>{"/var/lib/lxc/hwu/command", "/var/lib/lxc/hwovl/command",
                                                "lxc/e4bcdd4d3c62c866/command", "/var/lib/lxc/hw1/command",
                                                "/tmp/lxcw/my lxc/weird name/command", "/var/lib/lxc/hwfg/command",
                                                "/var/lib/lxc/hwloop/command", "/tmp/lxcw/p2/žlutý/command"});
    CHECK(parse_command_sockets(captured("net-unix"))[0].inode == 46076);
}

TEST_CASE("only a listening abstract stream socket of such a name counts") {
    const std::string ok = "000000004c3667cc: 00000002 00000000 00010000 0001 01 46076 @/x/y/command\n";
    REQUIRE(parse_command_sockets(ok).size() == 1);
    const char* const wrong[] = {
        "000000004c3667cc: 00000002 00000000 00010000 0001 01 46076 /x/y/command",   // a file
        "000000004c3667cc: 00000003 00000000 00000000 0001 03 46076 @/x/y/command",  // a connection
        "000000004c3667cc: 00000002 00000000 00010000 0005 01 46076 @/x/y/command",  // another type
        "000000004c3667cc: 00000002 00000000 00010000 0001 01 x @/x/y/command",      // no inode
        "000000004c3667cc: 00000002 00000000 00010000 0001 01 46076 @x/y/command",   // no path
        "000000004c3667cc: 00000002 00000000 00010000 0001 01 46076 @/x/y/command2", // another name
        "@/x/y/command",
        "",
        "/command",
        "       ",
    };
    for (const char* line : wrong) {
        CAPTURE(line);
        CHECK(parse_command_sockets(line).empty());
    }
}

TEST_CASE("cut anywhere, the table is still read without harm") {
    const auto whole = captured("net-unix");
    for (std::size_t n = 0; n < whole.size(); n += 7) CHECK(parse_command_sockets(whole.substr(0, n)).size() <= 8);
}
