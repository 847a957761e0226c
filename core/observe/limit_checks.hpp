// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/finding.hpp"
#include "observe/status.hpp"

#include <span>

namespace penstock {

// Limits that others have left where they do not do what they seem to: on a device that does not serve the instance, or
// twice on one device.
void check_limits(Inventory& inventory, const InstanceView& view, std::span<const DiskStatus> disks,
                  Findings& findings);

} // namespace penstock
