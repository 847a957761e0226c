// SPDX-License-Identifier: Apache-2.0
#include "liblxc.hpp"

#include "catch.hpp"

using namespace penstock::lxc;

TEST_CASE("a host without liblxc is not a broken one") {
    const auto missing = find_liblxc("libpenstock-no-such-thing.so.1");
    CHECK(missing.state == Liblxc::State::absent);
    CHECK(!missing.detail.empty());
    const auto other = find_liblxc("libm.so.6");
    CHECK(other.state == Liblxc::State::broken);
    const auto unreadable = find_liblxc("/proc/self/status");
    CHECK(unreadable.state == Liblxc::State::broken);
}
