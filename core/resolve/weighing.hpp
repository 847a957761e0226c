// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/hierarchy.hpp"
#include "cgroup/weight.hpp"
#include "resolve/backing_chain.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// A device that has requests to share out, and what does so.
struct WeightDevice {
    BlockDevice device;
    std::vector<WeightPolicy> policies; // that act on it now
};

// Where the weight of a disk counts. Bio-based devices (device-mapper, md, brd) hand requests on as they come, so it is
// the devices underneath that share out.
struct Weighing {
    std::vector<WeightDevice> devices;
    std::vector<WeightPolicy> available; // whose files the kernel has
    std::optional<Obstacle> impossible;  // no file to write a weight to
    std::optional<Obstacle> ineffective; // nothing acts
    std::vector<std::string> caveats;    // it acts, but not everywhere

    // Where the kernel takes a weight: each device with each policy that acts on it.
    std::vector<WeightPlace> places() const;
};

Weighing weigh(const Roots& roots, const Hierarchy& hierarchy, const BlockDevice& device);

} // namespace penstock
