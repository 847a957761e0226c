// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/planner.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace penstock {

// What a place holds now.
struct WeightSeen {
    WeightPlace place;
    std::optional<std::uint32_t> now;
};

// Gives `weight` to each place. `ours` were set by us before: what was there before them is still what was there
// before.
std::vector<WeightSetting> weight_settings(std::uint32_t weight, std::span<const WeightSeen> places,
                                           std::span<const WeightSetting> ours);

// Puts back what was there before `ours`, except where `kept` has the same place.
std::vector<WeightSetting> weight_undoing(std::span<const WeightSetting> ours, std::span<const WeightSetting> kept);

// Adds the writes of `settings` to a plan for a cgroup, before processes move in or go out. What is as wanted already
// is left out. Pure.
void add_weight_steps(Plan& plan, std::span<const WeightSetting> settings, std::span<const WeightSeen> seen);

} // namespace penstock
