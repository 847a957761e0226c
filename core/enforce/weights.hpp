// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "enforce/record.hpp"
#include "plan/weight_plan.hpp"
#include "resolve/inventory.hpp"
#include "resolve/weighing.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// What would share the disk's device out, where `wanted` has a weight.
std::optional<Weighing> weighing_for(Inventory& inventory, const DiskView& disk, const Limits& wanted);

// What the places hold now; nothing in a cgroup that is not there yet.
std::vector<WeightSeen> see_weights(const Hierarchy& hierarchy, const std::string& cgroup,
                                    std::span<const WeightPlace> places);

// Adds the writes for `weight` to the plan, and returns what is to be recorded. `known`: what was recorded of the disk.
std::vector<WeightSetting> plan_weights(Plan& plan, const Hierarchy& hierarchy, const Weighing& weighing,
                                        std::uint32_t weight, const DiskRecord* known);

// Adds the writes that put back what was there before the weight of `known`. Places that another disk of the instance
// needs as well stay.
void plan_weights_back(Plan& plan, const Hierarchy& hierarchy, const InstanceRecord& record, const DiskRecord& known);

// CONFLICT where another disk of the instance needs another weight in the same place.
std::optional<Error> weight_conflict(const InstanceRecord& record, const std::string& disk, const std::string& cgroup,
                                     std::span<const WeightSetting> settings);

// What of a recorded weight is not as it should be where something acts today; empty: it is. GONE, where the cgroup
// has.
Result<std::string> weight_difference(const Hierarchy& hierarchy, const Weighing& weighing, const DiskRecord& known);

} // namespace penstock
