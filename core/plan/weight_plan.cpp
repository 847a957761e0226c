// SPDX-License-Identifier: Apache-2.0
#include "plan/weight_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

template <class Range>
auto find_place(Range& range, const WeightPlace& place) {
    return std::find_if(range.begin(), range.end(), [&](const auto& one) { return one.place == place; });
}

} // namespace

std::vector<WeightSetting> weight_settings(std::uint32_t weight, std::span<const WeightSeen> places,
                                           std::span<const WeightSetting> ours) {
    std::vector<WeightSetting> out;
    for (const auto& one : places) {
        const auto known = find_place(ours, one.place);
        out.push_back(
            {one.place, kernel_weight(one.place.policy, weight), known == ours.end() ? one.now : known->before});
    }
    return out;
}

std::vector<WeightSetting> weight_undoing(std::span<const WeightSetting> ours, std::span<const WeightSetting> kept) {
    std::vector<WeightSetting> out;
    for (const auto& former : ours)
        if (find_place(kept, former.place) == kept.end()) out.push_back({former.place, former.before, former.before});
    return out;
}

void add_weight_steps(Plan& plan, std::span<const WeightSetting> settings, std::span<const WeightSeen> seen) {
    const auto first = std::find_if(plan.steps.begin(), plan.steps.end(), [](const Step& step) {
        return std::holds_alternative<MoveProcess>(step.action) || std::holds_alternative<RemoveCgroup>(step.action);
    });
    std::vector<Step> steps;
    for (const auto& setting : settings) {
        const auto found = find_place(seen, setting.place);
        const auto now = found == seen.end() ? std::nullopt : found->now;
        if (now == setting.value) continue;
        const auto& point = plan.point;
        steps.push_back({WriteControl{point.cgroup, weight_write(point.version, setting.place, setting.value),
                                      weight_write(point.version, setting.place, now)},
                         fmt::format("{} shares {} out by the weights of cgroups", name(setting.place.policy),
                                     setting.place.device.text())});
        plan.weights.push_back(setting);
    }
    plan.steps.insert(first, steps.begin(), steps.end());
}

} // namespace penstock
