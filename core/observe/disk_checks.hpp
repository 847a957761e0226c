// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/finding.hpp"
#include "observe/status.hpp"

namespace penstock {

// What of a disk itself keeps limits from working: page cache, emulated bus, no engine, a limit that is not in force.
void check_disk(const InstanceView& view, const DiskStatus& status, Findings& findings);

} // namespace penstock
