// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"

namespace penstock::lxc {

// Every process in a cgroup directory and below it, sorted, each once. A tenant may own the tree: depth and count are
// capped. complete: cleared where a cap was hit.
std::vector<int> processes_below(const Directory& cgroup, bool& complete);

} // namespace penstock::lxc
