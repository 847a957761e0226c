// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/hierarchy.hpp"

namespace penstock {

// Removes the cgroups that we made for instances which have ended. Their records stay, so that `status` can say that a
// restarted instance has lost its limits. The journal must be locked.
void sweep(const Hierarchy& hierarchy);

} // namespace penstock
