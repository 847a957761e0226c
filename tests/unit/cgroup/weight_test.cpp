// SPDX-License-Identifier: Apache-2.0
#include "cgroup/weight.hpp"

#include "catch.hpp"
#include "model/limits.hpp"

using namespace penstock;

TEST_CASE("BFQ takes weights as they are up to its end, so that ratios hold and the default is the default") {
    CHECK(kernel_weight(WeightPolicy::bfq, 1) == 1);
    CHECK(kernel_weight(WeightPolicy::bfq, 100) == kernel_default(WeightPolicy::bfq));
    CHECK(kernel_weight(WeightPolicy::bfq, 1000) == 1000);
    CHECK(kernel_weight(WeightPolicy::bfq, 1001) == 1000);
    CHECK(kernel_weight(WeightPolicy::bfq, 10000) == 1000);
    CHECK(clipping(WeightPolicy::bfq, 1000).empty());
    CHECK(clipping(WeightPolicy::bfq, 5000) == "BFQ's weights end at 1000: 5000 counts as 1000");
}

TEST_CASE("iocost has the scale itself, CFQ one whose default is 500") {
    for (const std::uint32_t weight : {1, 55, 100, 10000}) {
        CHECK(kernel_weight(WeightPolicy::iocost, weight) == weight);
        CHECK(clipping(WeightPolicy::iocost, weight).empty());
    }
    CHECK(kernel_weight(WeightPolicy::cfq, 100) == kernel_default(WeightPolicy::cfq));
    CHECK(kernel_weight(WeightPolicy::cfq, 200) == 1000);
    CHECK(kernel_weight(WeightPolicy::cfq, 1) == 10);
    CHECK(clipping(WeightPolicy::cfq, 201) == "CFQ's weights end at 200: 201 counts as 200");
    CHECK(clipping(WeightPolicy::cfq, 1) == "CFQ's weights begin at 2: 1 counts as 2");
    CHECK(weight_of(WeightPolicy::cfq, 500) == 100);
}

// As Linux 6.1 (v2) and 6.18 (v1) write them.
TEST_CASE("the files of v1 and v2 are read") {
    const DeviceNumber vdb{254, 16};
    CHECK(parse_weight("100\n", std::nullopt) == 100);
    CHECK(parse_weight("default 100\n254:16 300\n", std::nullopt) == 100);
    CHECK(parse_weight("default 100\n254:16 300\n", vdb) == 300);
    CHECK(parse_weight("default 100\n1254:16 300\n254:160 7\n", vdb) == std::nullopt);
    CHECK(parse_weight("", vdb) == std::nullopt);
    CHECK(parse_weight("default\n", std::nullopt) == std::nullopt);
}

TEST_CASE("each write goes to the file of its policy and version") {
    const DeviceNumber loop{7, 3};
    CHECK(weight_write(CgroupVersion::v1, {WeightPolicy::bfq, loop}, 300) ==
          ControlWrite{"blkio.bfq.weight_device", "7:3 300"});
    CHECK(weight_write(CgroupVersion::v2, {WeightPolicy::bfq, loop}, std::nullopt) ==
          ControlWrite{"io.bfq.weight", "7:3 default"});
    CHECK(weight_write(CgroupVersion::v2, {WeightPolicy::iocost, loop}, 7) == ControlWrite{"io.weight", "7:3 7"});
    CHECK(weight_write(CgroupVersion::v1, {WeightPolicy::cfq, loop}, 500) ==
          ControlWrite{"blkio.weight_device", "7:3 500"});
}
