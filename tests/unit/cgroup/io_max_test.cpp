// SPDX-License-Identifier: Apache-2.0
#include "cgroup/io_max.hpp"

#include "catch.hpp"

using namespace penstock;

// As read from a kernel 6.1: one line a device, in reverse order of creation.
constexpr auto two_devices =
    "254:16 rbps=max wbps=1048576 riops=max wiops=20\n8:0 rbps=5 wbps=max riops=max wiops=max\n";

TEST_CASE("io.max: the fields of one device, with max as not set") {
    const auto limits = parse_io_max(two_devices, {254, 16});
    CHECK(limits[Rate::write_bps] == 1048576);
    CHECK(limits[Rate::write_iops] == 20);
    CHECK(!limits[Rate::read_bps]);
    CHECK(!limits[Rate::read_iops]);
}

TEST_CASE("io.max: 8:0 is not found inside of 18:0, nor 8:1 in 8:16") {
    CHECK(parse_io_max("18:0 rbps=5 wbps=5 riops=5 wiops=5\n8:16 rbps=5 wbps=5 riops=5 wiops=5\n", {8, 0}).empty());
    CHECK(parse_io_max("8:16 rbps=5 wbps=5 riops=5 wiops=5\n", {8, 1}).empty());
}

TEST_CASE("io.max: bare lines, unknown keys and an empty file say nothing") {
    CHECK(parse_io_max("", {7, 0}).empty());
    CHECK(parse_io_max("7:0\n", {7, 0}).empty());
    CHECK(parse_io_max("7:0 zbps=4 wbps= rbps=9", {7, 0})[Rate::read_bps] == 9);
}

TEST_CASE("io.max: what is written names all four keys") {
    Limits limits;
    limits[Rate::read_bps] = 1000;
    CHECK(format_io_max({8, 16}, limits) == "8:16 rbps=1000 wbps=max riops=max wiops=max");
}
