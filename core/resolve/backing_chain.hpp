// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// One step of the way from the guest's disk down to the hardware, for people.
struct ChainLink {
    std::string what;   // "image", "directory", "file system", "partition", "loop", "device-mapper", "disk", "network"
    std::string name;   // path, mount point, kernel name
    std::string detail; // "qcow2", "ext4", "holds /srv/a.img"
    std::optional<DeviceNumber> device;
    int depth = 0; // indentation: a device made of several others branches
};

// Why something cannot work, and what would make it work.
struct Obstacle {
    std::string reason;
    std::string remedy;
};

// Where the I/O of one disk goes.
struct BackingChain {
    std::vector<ChainLink> links;
    // The device that a limit acts on: the first one below the disk that the kernel can throttle; never a partition.
    std::optional<BlockDevice> device;
    bool own_device = false;          // the disk is that device, not a file or partition on it
    std::vector<std::string> notes;   // what a limit on that device covers besides, or does not cover
    std::optional<Obstacle> obstacle; // there is no such device
};

// Never fails: what cannot be found out becomes an obstacle that says why.
BackingChain resolve_chain(const Roots& roots, const Instance& instance, const Disk& disk);

} // namespace penstock
