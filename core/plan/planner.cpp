// SPDX-License-Identifier: Apache-2.0
#include "plan/planner.hpp"

#include "plan/descent.hpp"
#include "resolve/cgroup_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

// Which fields differ from `from` in `to`, as a change (set) and as fields that vanish (clear).
bool any(const LimitFields& fields) { return !(fields == LimitFields{}); }

void add_descent(Plan& plan, const std::vector<Rung>& rungs) {
    for (const auto& rung : rungs)
        if (rung.timed)
            plan.steps.push_back({LowerControl{plan.point.cgroup, rung.write, rung.undo},
                                  "as low as it can be without a burst or a standstill of what is waiting"});
        else
            plan.steps.push_back({WriteControl{plan.point.cgroup, rung.write, rung.undo},
                                  &rung == &rungs.front()
                                      ? "starts a slice of the kernel's: a limit is lowered late in one"
                                      : "what remains needs no steps"});
}

void add_transition(Plan& plan, const Limits& now, const Limits& after, bool owing, const std::string& why) {
    const auto& point = plan.point;
    if (owing)
        if (const auto rungs = descent(point.version, point.device, now, after); !rungs.empty())
            return add_descent(plan, rungs);
    const auto forth = control_writes(point.version, point.device, now, after);
    const auto back = control_writes(point.version, point.device, after, now);
    // Both list the same changed rates in the same order.
    for (std::size_t i = 0; i < forth.size(); ++i)
        plan.steps.push_back({WriteControl{point.cgroup, forth[i], back[i]}, why});
}

// `ends`: the cgroup ends with this plan, and what is owed in it.
void add_writes(Plan& plan, const Seen& seen, const std::string& why, bool ends = false) {
    for (const auto rate : all_rates)
        if (seen.now[rate] != plan.after[rate]) plan.changed.push_back(rate);
    const auto first = seen.unused || ends ? plan.after : before_lifting(seen.now, plan.after);
    const bool lifts = !(first == plan.after);
    add_transition(plan, seen.now, first, !seen.unused,
                   lifts ? "raises it first: a debt would wait for the next limit" : why);
    if (!lifts) return;
    plan.steps.push_back({Pause{settling_time}, "the kernel settles what is owed at the end of a slice"});
    add_transition(plan, first, plan.after, false, why);
}

void add_preparation(Plan& plan, const Placement& placement) {
    if (placement.create) {
        plan.steps.push_back({MakeCgroup{std::string{own_cgroup}}, "cgroups that Penstock makes are kept together"});
        plan.steps.push_back({MakeCgroup{placement.cgroup}, "the instance has no cgroup of its own"});
    }
    if (!placement.keep_io.empty())
        plan.steps.push_back(
            {KeepIo{placement.keep_io},
             "else the next 'systemctl daemon-reload' turns the controller off, and the limit is gone"});
    for (const auto& cgroup : placement.enable_io)
        plan.steps.push_back(
            {EnableIo{cgroup}, "io.max exists only where the cgroup above passes the io controller on"});
}

void add_moves(Plan& plan, const Placement& placement) {
    for (const auto& move : placement.moves)
        plan.steps.push_back(
            {MoveProcess{move, placement.cgroup}, "a limit acts on the processes that are in its cgroup"});
}

// Limits of `before` in the fields that are cleared.
Limits restored(const Limits& now, const LimitFields& fields, const Limits& before) {
    auto after = without(now, fields);
    for (const auto rate : all_rates)
        if (fields.rates[index(rate)]) after[rate] = before[rate];
    return after;
}

} // namespace

std::chrono::milliseconds waiting_time(const Plan& plan) {
    std::chrono::milliseconds time{0};
    for (const auto& step : plan.steps) {
        if (std::holds_alternative<LowerControl>(step.action)) time += rung_earliest;
        if (const auto* pause = std::get_if<Pause>(&step.action)) time += pause->time;
    }
    return time;
}

Plan plan_set(const LimitPoint& point, const Seen& seen, const Limits& change) {
    Plan plan{point, {}, merged(seen.now, change), {}, {}};
    if (point.engine == Engine::native) {
        if (!(plan.after == seen.now))
            plan.steps.push_back({ApplyNative{point.key, point.native_id, change, seen.now},
                                  "the hypervisor's own limiter acts on this disk alone"});
        return plan;
    }
    if (seen.placement) add_preparation(plan, *seen.placement);
    // The limit is there before the processes are: no request passes in between.
    add_writes(plan, seen, "sets what was asked for on " + point.device_name);
    if (seen.placement) add_moves(plan, *seen.placement);
    return plan;
}

Plan plan_clear(const LimitPoint& point, const Seen& seen, const LimitFields& fields, const Restore& restore) {
    Plan plan{point, {}, restored(seen.now, fields, restore.before), {}, {}};
    if (point.engine == Engine::native) {
        LimitFields gone = fields;
        Limits back;
        for (const auto rate : all_rates)
            if (fields.rates[index(rate)] && restore.before[rate]) {
                gone.rates[index(rate)] = false;
                back[rate] = restore.before[rate];
            }
        if (any(gone) && !(without(seen.now, gone) == seen.now))
            plan.steps.push_back(
                {ClearNative{point.key, point.native_id, gone, seen.now}, "removes what was asked for"});
        if (!back.empty())
            plan.steps.push_back({ApplyNative{point.key, point.native_id, back, without(seen.now, gone)},
                                  "puts back what was set before"});
        return plan;
    }
    const bool ends = restore.last && restore.made_cgroup;
    add_writes(plan, seen, restore.before.empty() ? "lifts the limit" : "puts back what was set before", ends);
    if (!ends) return plan;
    for (const auto& move : restore.moved)
        plan.steps.push_back({MoveProcess{{move.pid, move.start_time, point.cgroup}, move.from},
                              "back to where it was; its limits have been lifted before"});
    plan.steps.push_back({RemoveCgroup{point.cgroup}, "nothing of ours is left in it"});
    return plan;
}

} // namespace penstock
