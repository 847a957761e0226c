// SPDX-License-Identifier: Apache-2.0
#include "block_query.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;
namespace json = boost::json;

namespace {

json::value captured_json(const std::string& name) {
    auto value = parse_json(captured(name));
    REQUIRE(value);
    return *value;
}

} // namespace

TEST_CASE("the disks of a QEMU 7.2, captured") {
    const auto disks = disks_of_query(captured_json("query-block.json"), captured_json("query-named-block-nodes.json"));
    const auto text = dump(disks);
    CHECK(text == golden("query-block.golden", text));
}

TEST_CASE("without the node graph the images are still there") {
    const auto disks = disks_of_query(captured_json("query-block.json"), json::value{});
    REQUIRE(disks.size() == 8);
    CHECK(disks[1].layers.size() == 3);
    CHECK(disks[1].layers[0].path == "oo.qcow2");
}

TEST_CASE("answers of the wrong types hold no disks and no limits") {
    for (const char* text : {"null", "5", "[]", "{}", R"([{"inserted": 5, "device": {}, "qdev": [1]}, null, "x"])",
                             R"([{"qdev":"x","inserted":{"image":{"backing-image":7,"filename":1}}}])"}) {
        const auto value = *parse_json(text);
        CHECK_NOTHROW(disks_of_query(value, value));
        CHECK_NOTHROW(find_block(value, "x"));
        CHECK_FALSE(find_block(value, ""));
    }
}

TEST_CASE("the setting of one device is read whole") {
    const auto blocks = *parse_json(R"([{"device":"","qdev":"/machine/peripheral/vda/virtio-backend","inserted":{
        "bps":0,"bps_rd":5,"bps_wr":10,"iops":7,"iops_rd":0,"iops_wr":0,"bps_wr_max":20,"bps_wr_max_length":3,"iops_max":9,
        "iops_size":4096,"group":"shared"}},{"device":"d1","qdev":"d1","inserted":{"bps":-4,"group":"d1"}},{"qdev":"cd"}])");
    const auto first = find_block(blocks, "/machine/peripheral/vda/virtio-backend");
    REQUIRE(first);
    const auto& t = first->throttle;
    CHECK(t.rate == std::array<std::uint64_t, 6>{5, 10, 0, 0, 0, 7});
    CHECK(t.burst == std::array<std::uint64_t, 6>{0, 20, 0, 0, 0, 9});
    CHECK(t.seconds == std::array<std::uint64_t, 6>{0, 3, 0, 0, 0, 1});
    CHECK(t.io_size == 4096);
    CHECK(t.group == "shared");
    CHECK(find_block(blocks, "d1")->throttle == Throttle{});
    CHECK(find_block(blocks, "d1")->own_group == "d1");
    CHECK(find_block(blocks, "cd")->empty);
    CHECK_FALSE(find_block(blocks, "gone"));

    // What was read is what would be written: QEMU resets whatever is left out.
    CHECK(
        json::serialize(throttle_arguments("q", t, "own")) ==
        R"({"id":"q","bps_rd":5,"bps_rd_max":0,"bps_wr":10,"bps_wr_max":20,"bps_wr_max_length":3,"bps":0,"bps_max":0,)"
        R"("iops_rd":0,"iops_rd_max":0,"iops_wr":0,"iops_wr_max":0,"iops":7,"iops_max":9,"iops_max_length":1,)"
        R"("iops_size":4096,"group":"shared"})");
    CHECK(throttle_arguments("q", Throttle{}, "own").at("group") == "own");
}
