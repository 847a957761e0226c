// SPDX-License-Identifier: Apache-2.0
#include "cgroup/throttle_v1.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("v1: files, values and removal") {
    CHECK(throttle_v1_file(Rate::write_iops) == "blkio.throttle.write_iops_device");
    CHECK(format_throttle_v1({7, 3}, 500) == "7:3 500");
    CHECK(format_throttle_v1({7, 3}, std::nullopt) == "7:3 0");
    CHECK(parse_throttle_v1("7:3 500\n8:0 1\n", {7, 3}) == 500);
    CHECK(!parse_throttle_v1("17:3 500\n7:30 1\n", {7, 3}));
    CHECK(!parse_throttle_v1("7:3 junk\n", {7, 3}));
}
