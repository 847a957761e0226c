// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "enforce/journal.hpp"
#include "observe/finding.hpp"
#include "resolve/inventory.hpp"

namespace penstock {

// Looks at the host, the plugins, each instance and what is recorded; the worst first.
Findings examine(Inventory& inventory, const Journal& journal);

} // namespace penstock
