// SPDX-License-Identifier: Apache-2.0
#include "plan/weight_plan.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

const WeightPlace on_loop{WeightPolicy::bfq, {7, 3}};
const WeightPlace on_disk{WeightPolicy::bfq, {8, 0}};

Plan empty_plan() {
    Plan plan;
    plan.point = {.engine = Engine::cgroup,
                  .version = CgroupVersion::v1,
                  .cgroup = "/vm",
                  .device = {7, 3},
                  .device_name = "loop3"};
    return plan;
}

} // namespace

TEST_CASE("a weight that is set again keeps what was there before the first time") {
    const std::vector<WeightSeen> seen{{on_loop, 1000}};
    const std::vector<WeightSetting> ours{{on_loop, 1000, 250}};
    const auto settings = weight_settings(500, seen, ours);
    REQUIRE(settings.size() == 1);
    CHECK(settings[0] == WeightSetting{on_loop, 500, 250});
    CHECK(weight_undoing(ours, settings).empty());
}

TEST_CASE("a device that is not the disk's any more gets back what it had") {
    const std::vector<WeightSeen> places{{on_loop, std::nullopt}};
    const std::vector<WeightSetting> ours{{on_disk, 1000, 100}};
    const auto settings = weight_settings(1000, places, ours);
    const auto back = weight_undoing(ours, settings);
    REQUIRE(back.size() == 1);
    CHECK(back[0] == WeightSetting{on_disk, 100, 100});
}

TEST_CASE("a place that another disk needs stays") {
    const std::vector<WeightSetting> ours{{on_loop, 1000, std::nullopt}};
    const std::vector<WeightSetting> needed{{on_loop, 1000, std::nullopt}};
    CHECK(weight_undoing(ours, needed).empty());
}

TEST_CASE("weights are written before processes come, can be undone, and are left out where nothing changes") {
    auto plan = empty_plan();
    plan.steps = {{MakeCgroup{"/vm"}, "w"}, {MoveProcess{{1, 2, "/"}, "/vm"}, "w"}};
    const std::vector<WeightSeen> seen{{on_loop, std::nullopt}, {on_disk, 100}};
    const std::vector<WeightSetting> settings{{on_loop, 300, std::nullopt}, {on_disk, 100, 100}};
    add_weight_steps(plan, settings, seen);
    REQUIRE(plan.steps.size() == 3);
    const auto& write = std::get<WriteControl>(plan.steps[1].action);
    CHECK(write.write == ControlWrite{"blkio.bfq.weight_device", "7:3 300"});
    CHECK(write.undo == ControlWrite{"blkio.bfq.weight_device", "7:3 default"});
    CHECK(std::holds_alternative<MoveProcess>(plan.steps[2].action));
    REQUIRE(plan.weights.size() == 1);
    CHECK(plan.weights[0].place == on_loop);
}
