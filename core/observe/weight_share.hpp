// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/hierarchy.hpp"
#include "cgroup/weight.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

// A cgroup that wants the device too: it is a sibling on the way to ours and holds processes.
struct Competitor {
    std::string cgroup;
    std::uint32_t weight = 0; // on the policy's scale
};

// What a cgroup gets of a device while everyone there is busy. Weights count among siblings, and a cgroup shares what
// its parent got.
struct WeightShare {
    std::uint32_t weight = 0; // on the policy's scale
    double percent = 100;
    std::vector<Competitor> competitors;
};

// nullopt where the weights cannot be read.
std::optional<WeightShare> weight_share(const Hierarchy& hierarchy, const std::string& cgroup, WeightPolicy policy,
                                        DeviceNumber device);

} // namespace penstock
