// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "catch.hpp"
#include "data.hpp"
#include "liblxc.hpp"

using namespace penstock::lxc;

TEST_CASE("the stat of a container's init") {
    const auto stat = parse_stat(captured("init.stat"));
    REQUIRE(stat);
    CHECK(stat->pid == 16183);
    CHECK(stat->comm == "init");
    CHECK(stat->state == 'S');
    CHECK(stat->parent == 16182);
    CHECK(stat->start == 300257);
    CHECK(!stat->forked_only);
}

TEST_CASE("a process cannot hide behind its name") {
    const auto stat = parse_stat("42 (a) R 1 (b) S 7 1 1 0 -1 4194368 0 0 0 0 0 0 0 0 20 0 1 0 99 0");
    REQUIRE(stat);
    CHECK(stat->comm == "a) R 1 (b");
    CHECK(stat->parent == 7);
    CHECK(stat->start == 99);
    CHECK(stat->forked_only);
}

TEST_CASE("what is no stat is refused") {
    for (const char* text : {"", "42", "42 (a", "42 )a(", "(a) S 1", "42 (a)", "42 (a) S 1 2 3",
                             "x (a) S 7 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 99 0"}) {
        CAPTURE(text);
        CHECK(!parse_stat(text));
    }
}

TEST_CASE("a host without liblxc is not a broken one") {
    const auto missing = find_liblxc("libpenstock-no-such-thing.so.1");
    CHECK(missing.state == Liblxc::State::absent);
    CHECK(!missing.detail.empty());
    const auto other = find_liblxc("libm.so.6");
    CHECK(other.state == Liblxc::State::broken);
    const auto unreadable = find_liblxc("/proc/self/status");
    CHECK(unreadable.state == Liblxc::State::broken);
}
