// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"
#include "enforce/journal.hpp"
#include "plan/planner.hpp"
#include "sys/block_device.hpp"

#include <string>
#include <vector>

namespace penstock {

// A cgroup that limits the device.
struct Holder {
    std::vector<std::string> ours; // "kvm/db1:vda": the disks for which we have set it; empty: others have
    Plan plan;                     // lifts what is set there, whoever has set it
    Limits limits;                 // that are set there
    bool lift = false;
};

// Every cgroup of the hierarchy that limits the device, ours first to be lifted, others' only with `all`.
Result<std::vector<Holder>> holders_of(const Hierarchy& hierarchy, const BlockDevice& device,
                                       const std::vector<InstanceRecord>& records, bool all);

// Lifts the limits that are to be lifted before the device is removed, and waits until what they held back has gone on.
// On Linux 6.1 a SCSI disk that is removed while requests wait for a limit takes a CPU for good, in the timer that
// would let them on (measured, v1 and v2). The journal keeps what was wanted, as released.
Result<void> release(const Roots& roots, const Hierarchy& hierarchy, const Journal& journal, const BlockDevice& device,
                     std::vector<InstanceRecord> records, const std::vector<Holder>& holders);

} // namespace penstock
