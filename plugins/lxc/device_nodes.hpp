// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"

#include <penstock/disk_record.hpp>

namespace penstock::lxc {

// A block device node in a container's /dev.
struct DeviceNode {
    std::string path; // below /dev: "sdb", "mapper/vg-data"
    std::uint32_t major = 0, minor = 0;
};

// Walks a container's /dev, which is the tenant's: nothing there is followed, and depth and count are capped.
std::vector<DeviceNode> find_device_nodes(const Directory& dev);

// Appends the disks of the nodes that the container may open. devices_list: see device_access; absent: all of them.
void add_device_disks(std::vector<sdk::OwnedDisk>& disks, const std::vector<DeviceNode>& nodes,
                      const std::optional<std::string>& devices_list);

} // namespace penstock::lxc
