// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"
#include "plugin/plugin.hpp"
#include "resolve/backing_chain.hpp"
#include "resolve/engine.hpp"
#include "resolve/placement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// A disk and where its I/O goes.
struct DiskView {
    Disk disk;
    BackingChain chain;
    std::vector<std::string>
        shares_device_with; // other disks of the instance whose limit would land on the same device
};

// An instance with all that was found out about it.
struct InstanceView {
    Instance instance;
    std::vector<DiskView> disks;
    std::vector<Actor> actors;
    std::optional<Placement> placement;
    std::string no_hierarchy;    // why there is no placement
    std::vector<Error> troubles; // what could not be found out

    const DiskView* find(std::string_view target) const;
    // The disk with its limit on another layer of its backing chain (see layer.hpp); with an empty name as it is.
    Result<DiskView> at_layer(const Roots& roots, const DiskView& disk, std::string_view layer) const;
    DiskFacts facts(const DiskView& disk) const;
};

// Asks the plugin for disks and actors of one instance, then resolves them. GONE if it has ended meanwhile.
Result<InstanceView> view_instance(const Roots& roots, const Result<Hierarchy>& hierarchy, Plugin& plugin,
                                   const Instance& instance, Deadline deadline);

} // namespace penstock
