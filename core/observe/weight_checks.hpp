// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/finding.hpp"
#include "observe/status.hpp"

#include <span>

namespace penstock {

// Weights that somebody has given the instance's cgroup and that nothing looks at.
void check_weights(Inventory& inventory, const InstanceView& view, std::span<const DiskStatus> disks,
                   Findings& findings);

} // namespace penstock
