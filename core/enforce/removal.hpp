// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"

#include <string>

namespace penstock {

// Lifts every limit in the cgroup, then removes it. Never the other way round: when a cgroup is removed while requests
// are throttled in it, nobody can lift its limit any more and their tasks stay in D for good (measured, Linux 6.1).
// One that is not there is fine.
Result<void> lift_and_remove(const Hierarchy& hierarchy, const std::string& cgroup);

// Lifts every limit in the cgroup if no process is in it.
Result<void> lift_all_if_empty(const Hierarchy& hierarchy, const std::string& cgroup);

} // namespace penstock
