// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/finding.hpp"
#include "resolve/inventory.hpp"

namespace penstock {

// What of the host itself keeps limits from working: privileges, the kernel's options, the cgroup hierarchy, plugins.
void check_host(Inventory& inventory, Findings& findings);

} // namespace penstock
