// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "resolve/device_stack.hpp"
#include "resolve/obstacle.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// Where the I/O of one disk goes.
struct BackingChain {
    std::vector<ChainLink> links;
    // The device that a limit acts on: the first one below the disk that the kernel can throttle; never a partition.
    std::optional<BlockDevice> device;
    bool own_device = false;          // the disk is that device, not a file or partition on it
    std::string file_system;          // the type of the one that holds the image or directory; empty: there is none
    std::vector<std::string> notes;   // what a limit on that device covers besides, or does not cover
    std::optional<Obstacle> partial;  // a limit on that device lets I/O of the disk pass
    std::optional<Obstacle> obstacle; // there is no such device
};

// Never fails: what cannot be found out becomes an obstacle that says why.
BackingChain resolve_chain(const Roots& roots, const Instance& instance, const Disk& disk);

} // namespace penstock
