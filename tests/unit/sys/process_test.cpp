// SPDX-License-Identifier: Apache-2.0
#include "sys/process.hpp"

#include "catch.hpp"
#include "sys/process_cgroups.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace penstock;

TEST_CASE("a process name may hold spaces and parentheses") {
    const auto stat = parse_process_stat("42 (a) b) (c) S 1 42 42 0 -1 4194560 9 0 0 0 1 2 0 0 20 0 7 0 8834512 1000 5 "
                                         "184 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0\n");
    REQUIRE(stat);
    CHECK(stat->comm == "a) b) (c");
    CHECK(stat->state == 'S');
    CHECK(stat->parent == 1);
    CHECK(stat->threads == 7);
    CHECK(stat->start_time == 8834512);
}

TEST_CASE("a stat line that is cut short is refused") {
    for (const auto* text : {"", "42", "42 (x", "42 (x) S 1 2", ")("}) CHECK(!parse_process_stat(text));
}

TEST_CASE("the kernel's own word about this process") {
    const auto stat = read_process_stat({}, ::getpid());
    REQUIRE(stat);
    CHECK(stat->parent == ::getppid());
    const auto threads = read_threads({}, ::getpid());
    REQUIRE(threads);
    CHECK(static_cast<long>(threads->size()) == stat->threads);
}

TEST_CASE("a process is held by pid and start time; another start time is another process") {
    const auto child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    const auto start = read_process_stat({}, child)->start_time;
    auto held = ProcessHandle::hold({}, child, start);
    REQUIRE(held);
    CHECK(held->alive());
    const auto wrong = ProcessHandle::hold({}, child, start + 1);
    REQUIRE(!wrong);
    CHECK(wrong.error().code() == ErrorCode::gone);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK(!held->alive());
    const auto dead = ProcessHandle::hold({}, child, start);
    REQUIRE(!dead);
    CHECK(dead.error().code() == ErrorCode::gone);
}

TEST_CASE("cgroup lines of v1, named and v2 hierarchies; a path may hold colons") {
    const auto lines = parse_process_cgroups("9:name=systemd:/init.scope\n7:blkio,cpu:/a:b/c\n0::/user.slice\njunk\n");
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == CgroupLine{7, {"blkio", "cpu"}, "/a:b/c"});
    CHECK(lines[2] == CgroupLine{0, {}, "/user.slice"});
}
