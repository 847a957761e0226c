// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process.hpp"

namespace penstock::lxc {

// Every process in a cgroup directory and below it, sorted, each once. A tenant may own the tree: depth and count are
// capped. complete: cleared where a cap was hit.
std::vector<int> processes_below(const Directory& cgroup, bool& complete);

// Every process that descends from one, itself not.
std::vector<int> descendants_of(const Processes& processes, int ancestor);

} // namespace penstock::lxc
