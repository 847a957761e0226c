// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"
#include "resolve/obstacle.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// One step of the way from the guest's disk down to the hardware.
struct ChainLink {
    std::string what;   // "image", "directory", "file system", "partition", "loop", "device-mapper", "disk", "network"
    std::string name;   // path, mount point, kernel name
    std::string detail; // "qcow2", "ext4", "holds /srv/a.img", "LVM vg-lv"
    std::optional<DeviceNumber> device;
    int depth = 0;                   // indentation: a device made of several others branches
    std::optional<Obstacle> partial; // a limit on this device would act on a part of the disk's I/O only, or on none
    std::string alias;               // another name that people know the device by: "vg-lv"
};

inline constexpr std::size_t link_cap = 64; // a chain with more links is shown cut off

// Adds the device and all that it is made of. Where I/O still carries the instance's cgroup further down was measured
// (docs/stacks.md): through partitions, device-mapper and loop devices with direct I/O; not through the page cache that
// a loop device writes to, nor md's parity threads; and a device that is one of several gets a part only.
void add_device_stack(const Roots& roots, const BlockDevice& top, int depth, std::vector<ChainLink>& links);

// The link for one device, without what is below it.
ChainLink device_link(const BlockDevice& device, int depth);

} // namespace penstock
