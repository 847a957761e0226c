// SPDX-License-Identifier: Apache-2.0
#include "cgroup/io_stat.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("io.stat: counters of one device; bare lines and unknown keys are normal") {
    const auto text = "7:0\n8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0 dios=0 cost.usage=3\n";
    CHECK(parse_io_stat(text, {8, 16}) == IoCounters{1459200, 314773504, 192, 353});
    CHECK(!parse_io_stat(text, {7, 0}));
    CHECK(!parse_io_stat(text, {8, 1}));
}

TEST_CASE("v1 counters: read and write lines; a device that is not listed is unknown, not 0") {
    const auto bytes =
        "7:0 Read 4096\n7:0 Write 8192\n7:0 Sync 0\n7:0 Async 12288\n7:0 Discard 0\n7:0 Total 12288\nTotal 12288\n";
    const auto ios = "7:0 Read 1\n7:0 Write 2\n7:0 Total 3\nTotal 3\n";
    CHECK(parse_io_service(bytes, ios, {7, 0}) == IoCounters{4096, 8192, 1, 2});
    CHECK(!parse_io_service(bytes, ios, {7, 1}));
}
