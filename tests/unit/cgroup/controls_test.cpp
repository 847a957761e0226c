// SPDX-License-Identifier: Apache-2.0
#include "cgroup/controls.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("values that the kernel would take and turn into something else are refused before it sees them") {
    CHECK(value_problem(CgroupVersion::v1, Rate::read_iops, 4294967296)); // v1 wraps it to 0: all I/O stops
    CHECK(value_problem(CgroupVersion::v2, Rate::read_iops, 4294967295)); // v2 takes it as max
    CHECK(value_problem(CgroupVersion::v2, Rate::write_bps, 1));          // ERANGE there
    CHECK(value_problem(CgroupVersion::v1, Rate::total_bps, 1000));       // no such file
    CHECK(!value_problem(CgroupVersion::v1, Rate::write_bps, 1));
    CHECK(!value_problem(CgroupVersion::v1, Rate::read_iops, 4294967294));
    CHECK(!value_problem(CgroupVersion::v2, Rate::write_bps, 2));
}

TEST_CASE("no write where nothing changes") {
    Limits limits;
    limits[Rate::read_bps] = 5;
    CHECK(control_writes(CgroupVersion::v1, {7, 0}, limits, limits).empty());
    CHECK(control_writes(CgroupVersion::v2, {7, 0}, limits, limits).empty());
}
