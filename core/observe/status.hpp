// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/io_stat.hpp"
#include "enforce/journal.hpp"
#include "model/verdict.hpp"
#include "resolve/inventory.hpp"
#include "resolve/weighing.hpp"

#include <optional>
#include <vector>

namespace penstock {

// What is in force on one disk now, and what is to be said about it.
struct DiskStatus {
    std::string disk;
    EngineChoice choice;            // the engine that the limits are on; without limits, the one that `set` would take
    LimitPoint point;               // where they are read
    Limits seen;                    // whoever set them
    std::optional<Limits> wanted;   // ours
    std::optional<Verdict> verdict; // on ours; absent without a limit of ours
    std::optional<Weighing> weighing;   // what shares its device out; where a weight is set, and with Depth::live
    std::optional<IoCounters> counters; // cgroup only; what the instance has done to the device
};

enum class Depth : std::uint8_t {
    recorded, // native limits are read where one of ours is recorded
    live,     // everything is read, also what others have set with the hypervisor's limiter
};

// Reads back and judges all disks of an instance.
std::vector<DiskStatus> check(Inventory& inventory, const InstanceView& view, const InstanceRecord* record,
                              Depth depth);

} // namespace penstock
