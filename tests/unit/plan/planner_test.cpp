// SPDX-License-Identifier: Apache-2.0
#include "plan/planner.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

LimitPoint cgroup_point(CgroupVersion version) {
    return {.engine = Engine::cgroup, .version = version, .cgroup = "/vm", .device = {7, 3}, .device_name = "loop3"};
}

LimitPoint native_point() { return {.engine = Engine::native, .key = {"kvm", "id", "1-2"}, .native_id = "/machine/x"}; }

template <class Action>
const Action& action(const Plan& plan, std::size_t at) {
    REQUIRE(at < plan.steps.size());
    REQUIRE(std::holds_alternative<Action>(plan.steps[at].action));
    CHECK(!plan.steps[at].why.empty());
    return std::get<Action>(plan.steps[at].action);
}

Placement own_cgroup_to_be_made() {
    Placement placement;
    placement.cgroup = "/penstock/kvm-x";
    placement.create = true;
    placement.moves = {{100, 5, "/"}, {101, 6, "/"}};
    return placement;
}

} // namespace

TEST_CASE("v1: only the files of changed rates are written, and each write can be undone") {
    Limits now;
    now[Rate::read_iops] = 300;
    now[Rate::write_bps] = 1000000;
    Limits change;
    change[Rate::write_bps] = 2000000;
    const auto plan = plan_set(cgroup_point(CgroupVersion::v1), {now, std::nullopt}, change);
    REQUIRE(plan.steps.size() == 1);
    const auto& write = action<WriteControl>(plan, 0);
    CHECK(write.write == ControlWrite{"blkio.throttle.write_bps_device", "7:3 2000000"});
    CHECK(write.undo == ControlWrite{"blkio.throttle.write_bps_device", "7:3 1000000"});
    CHECK(plan.after[Rate::read_iops] == 300);
}

TEST_CASE("v1: a limit that was not there is undone with 0, which removes it") {
    Limits change;
    change[Rate::read_bps] = 5000;
    const auto plan = plan_set(cgroup_point(CgroupVersion::v1), {}, change);
    CHECK(action<WriteControl>(plan, 0).undo.text == "7:3 0");
}

TEST_CASE("v2: all four keys go in one write, siblings as they are now") {
    Limits now;
    now[Rate::read_iops] = 300;
    Limits change;
    change[Rate::write_bps] = 2000000;
    change[Rate::write_iops] = 50;
    const auto plan = plan_set(cgroup_point(CgroupVersion::v2), {now, std::nullopt}, change);
    REQUIRE(plan.steps.size() == 1);
    CHECK(action<WriteControl>(plan, 0).write ==
          ControlWrite{"io.max", "7:3 rbps=max wbps=2000000 riops=300 wiops=50"});
    CHECK(action<WriteControl>(plan, 0).undo.text == "7:3 rbps=max wbps=max riops=300 wiops=max");
}

TEST_CASE("nothing is written where everything is as wanted") {
    Limits now;
    now[Rate::write_bps] = 7;
    CHECK(plan_set(cgroup_point(CgroupVersion::v2), {now, std::nullopt}, now).steps.empty());
    CHECK(plan_set(native_point(), {now, std::nullopt}, now).steps.empty());
}

TEST_CASE("the limit is in the new cgroup before any process is") {
    Limits change;
    change[Rate::write_bps] = 9;
    auto placement = own_cgroup_to_be_made();
    placement.enable_io = {"/", "/penstock"};
    const auto plan = plan_set(cgroup_point(CgroupVersion::v2), {{}, placement}, change);
    REQUIRE(plan.steps.size() == 7);
    CHECK(action<MakeCgroup>(plan, 0).cgroup == "/penstock");
    CHECK(action<MakeCgroup>(plan, 1).cgroup == "/penstock/kvm-x");
    CHECK(action<EnableIo>(plan, 2).cgroup == "/");
    CHECK(action<EnableIo>(plan, 3).cgroup == "/penstock");
    action<WriteControl>(plan, 4);
    CHECK(action<MoveProcess>(plan, 5).process.pid == 100);
    CHECK(action<MoveProcess>(plan, 6).to == "/penstock/kvm-x");
}

TEST_CASE("clearing the last limit lifts it, then moves back, then removes the cgroup: never the other way round") {
    Limits now;
    now[Rate::write_bps] = 9;
    Restore restore{.made_cgroup = true, .moved = {{100, 5, "/old"}}, .last = true};
    const auto plan = plan_clear(cgroup_point(CgroupVersion::v1), {now, std::nullopt}, LimitFields::all(), restore);
    REQUIRE(plan.steps.size() == 3);
    CHECK(action<WriteControl>(plan, 0).write.text == "7:3 0");
    CHECK(action<MoveProcess>(plan, 1).to == "/old");
    CHECK(action<MoveProcess>(plan, 1).process.from == "/vm");
    CHECK(action<RemoveCgroup>(plan, 2).cgroup == "/vm");
    CHECK(plan.after.empty());
}

TEST_CASE("a cgroup that others made, or that another disk still needs, stays") {
    Limits now;
    now[Rate::write_bps] = 9;
    for (const auto& restore :
         {Restore{.made_cgroup = false, .last = true}, Restore{.made_cgroup = true, .last = false}})
        CHECK(plan_clear(cgroup_point(CgroupVersion::v1), {now, std::nullopt, true}, LimitFields::all(), restore)
                  .steps.size() == 1);
}

TEST_CASE("clearing one field leaves its siblings and brings back what others had set") {
    Limits now;
    now[Rate::write_bps] = 900;
    now[Rate::read_bps] = 800;
    Restore restore;
    restore.before[Rate::write_bps] = 7700;
    LimitFields fields;
    fields.rates[index(Rate::write_bps)] = true;
    const auto plan = plan_clear(cgroup_point(CgroupVersion::v1), {now, std::nullopt}, fields, restore);
    REQUIRE(plan.steps.size() == 1);
    CHECK(action<WriteControl>(plan, 0).write.text == "7:3 7700");
    CHECK(plan.after[Rate::read_bps] == 800);
}

TEST_CASE("a limit that is lifted in a cgroup that stays is raised first, so that no debt waits for the next one") {
    Limits now;
    now[Rate::write_bps] = 900;
    now[Rate::read_bps] = 800;
    LimitFields fields;
    fields.rates[index(Rate::write_bps)] = true;
    for (const auto version : {CgroupVersion::v1, CgroupVersion::v2}) {
        const auto plan = plan_clear(cgroup_point(version), {now, std::nullopt}, fields, {});
        REQUIRE(plan.steps.size() == 3);
        CHECK(action<WriteControl>(plan, 0).write.text.find("1000000000000000") != std::string::npos);
        CHECK(action<Pause>(plan, 1).time > std::chrono::milliseconds{100});
        CHECK(action<WriteControl>(plan, 2).undo == action<WriteControl>(plan, 0).write);
        CHECK(plan.after[Rate::read_bps] == 800);
        CHECK(!plan.after[Rate::write_bps]);
        CHECK(plan.changed == std::vector<Rate>{Rate::write_bps});
    }
}

TEST_CASE("a limit that is lowered is lowered in steps, each with the value before it as its undo") {
    Limits now, change;
    now[Rate::write_iops] = 100;
    change[Rate::write_iops] = 50;
    for (const auto version : {CgroupVersion::v1, CgroupVersion::v2}) {
        const auto plan = plan_set(cgroup_point(version), {now, std::nullopt}, change);
        REQUIRE(plan.steps.size() == 2);
        const auto& first = action<WriteControl>(plan, 0);
        CHECK(first.write == first.undo);
        CHECK(action<LowerControl>(plan, 1).undo == first.write);
        CHECK(plan.changed == std::vector<Rate>{Rate::write_iops});
        CHECK(describe(plan.steps[1], nullptr).find("78 ms later") != std::string::npos);
        CHECK(waiting_time(plan) == std::chrono::milliseconds{78});
        // Where nothing has passed, nothing is owed.
        CHECK(plan_set(cgroup_point(version), {now, std::nullopt, true}, change).steps.size() == 1);
    }
}

TEST_CASE("native: only the change is asked for, and what was there is kept for undo") {
    Limits now;
    now[Rate::total_iops] = 100;
    Limits change;
    change[Rate::total_bps] = 5000000;
    change.burst(Rate::total_bps) = Burst{9000000, 3};
    const auto plan = plan_set(native_point(), {now, std::nullopt}, change);
    REQUIRE(plan.steps.size() == 1);
    CHECK(action<ApplyNative>(plan, 0).change == change);
    CHECK(action<ApplyNative>(plan, 0).before == now);
    CHECK(plan.after[Rate::total_iops] == 100);
}

TEST_CASE("native: clearing a rate takes its burst along") {
    Limits now;
    now[Rate::total_bps] = 5000000;
    now.burst(Rate::total_bps) = Burst{9000000, 3};
    LimitFields fields;
    fields.rates[index(Rate::total_bps)] = true;
    const auto plan = plan_clear(native_point(), {now, std::nullopt}, fields, {});
    REQUIRE(plan.steps.size() == 1);
    CHECK(action<ClearNative>(plan, 0).fields.rates[index(Rate::total_bps)]);
    CHECK(plan.after.empty());
}
