// SPDX-License-Identifier: Apache-2.0
#include "container_name.hpp"

#include "catch.hpp"
#include "data.hpp"

using namespace penstock::lxc;
using namespace std::string_literals;

TEST_CASE("a monitor's title tells the lxcpath and the name") {
    CHECK(parse_monitor_title(captured("monitor.cmdline")) == std::vector<ContainerName>{{"/var/lib/lxc", "hwu"}});
    CHECK(parse_monitor_title("[lxc monitor] / a\0"s) == std::vector<ContainerName>{{"/", "a"}});
    CHECK(parse_monitor_title("[lxc monitor] /tmp/p2 žlutý\0"s) == std::vector<ContainerName>{{"/tmp/p2", "žlutý"}});
}

TEST_CASE("with blanks in it a title can be read in more than one way, the shortest path first") {
    CHECK(parse_monitor_title("[lxc monitor] /tmp/my lxc weird name\0"s) ==
          std::vector<ContainerName>{
              {"/tmp/my", "lxc weird name"}, {"/tmp/my lxc", "weird name"}, {"/tmp/my lxc weird", "name"}});
    CHECK(parse_monitor_title("[lxc monitor] /my path/lxc web\0"s) ==
          std::vector<ContainerName>{{"/my path/lxc", "web"}});
}

TEST_CASE("what is no title is not read as one") {
    const auto text =
        GENERATE(""s, "\0"s, "[lxc monitor]\0"s, "[lxc monitor] \0"s, "[lxc monitor] /x\0"s, "[lxc monitor] /x \0"s,
                 "[lxc monitor] x y\0"s, "[lxc monitor] /x/y ..\0"s, "[lxc monitor] /x .\0"s, "[LXC monitor] /x y\0"s,
                 " [lxc monitor] /x y\0"s, "[lxc monitor] /x y\0-c\0"s, "lxc-start\0-n\0y\0"s);
    CAPTURE(text);
    CHECK(parse_monitor_title(text).empty());
}

TEST_CASE("a hostile title costs a bounded number of readings") {
    CHECK(parse_monitor_title("[lxc monitor] /x" + std::string(5000, ' ') + "y").size() <= 16);
}

TEST_CASE("the socket is named after both, hashed when that is too long for an address") {
    CHECK(ContainerName{"/var/lib/lxc", "web"}.command_socket() == "/var/lib/lxc/web/command");
    // As liblxc 5.0.2 named it: /proc/net/unix of the same capture.
    const ContainerName captured_long{"/tmp/lxcw/" + std::string(100, 'x'), "long"};
    CHECK(captured_long.command_socket() == "lxc/e4bcdd4d3c62c866/command");
    // 105 bytes are the most that liblxc leaves in clear.
    CHECK(ContainerName{"/" + std::string(93, 'p'), "ab"}.command_socket().size() == 105);
    CHECK(ContainerName{"/" + std::string(94, 'p'), "ab"}.command_socket().starts_with("lxc/"));
}

TEST_CASE("an id has no double slashes of its own") {
    CHECK(ContainerName{"/var//lib/lxc/", "web"}.id() == "/var/lib/lxc/web");
    CHECK(ContainerName{"/", "web"}.id() == "/web");
}

TEST_CASE("an address is taken apart at its last slash") {
    CHECK(parse_command_address("/tmp/my lxc/weird name/command") == ContainerName{"/tmp/my lxc", "weird name"});
    CHECK(parse_command_address("/web/command") == ContainerName{"/", "web"});
    for (const char* wrong :
         {"", "/command", "lxc/0123456789abcdef/command", "/var/lib/lxc/web", "/x//command", "/x/../command"}) {
        CAPTURE(wrong);
        CHECK(!parse_command_address(wrong));
    }
}

TEST_CASE("a foreground start is matched with the sockets it listens on") {
    const auto start = captured("foreground.cmdline");
    CHECK(is_foreground_start(start));
    CHECK(is_foreground_start("/usr/bin/lxc-execute\0-n\0a\0"s));
    CHECK(!is_foreground_start("lxc-attach\0-n\0a\0"s));
    CHECK(!is_foreground_start(""));
    CHECK(match_foreground(start, "/var/lib/lxc/hwfg/command") == ContainerName{"/var/lib/lxc", "hwfg"});
    CHECK(match_foreground("lxc-start\0-F\0--name=101\0"s, "/var/lib/lxc/101/command") ==
          ContainerName{"/var/lib/lxc", "101"});
    CHECK(match_foreground("lxc-start\0-F\0-n101\0"s, "/x/101/command") == ContainerName{"/x", "101"});
    CHECK(!match_foreground(start, "/var/lib/lxc/other/command"));
}

TEST_CASE("a hashed socket is matched by hashing what the arguments say") {
    const ContainerName wanted{"/" + std::string(120, 'p'), "ab"};
    const auto start = "lxc-start\0-F\0-P\0"s + wanted.lxcpath + "\0-n\0ab\0"s;
    CHECK(match_foreground(start, wanted.command_socket()) == wanted);
    CHECK(!match_foreground(start, "lxc/0000000000000000/command"));
}
