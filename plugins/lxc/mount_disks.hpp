// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mount_table.hpp"

#include <penstock/disk_record.hpp>

#include <functional>
#include <optional>

namespace penstock::lxc {

struct FileFacts {
    std::uint32_t major = 0, minor = 0;   // of the file system it lies on
    std::uint32_t rmajor = 0, rminor = 0; // of the device it is
    std::uint64_t mount_id = 0;           // 0: the kernel does not say
    bool directory = false;
    bool regular = false;
    bool block_device = false;
};

// How a path looks from inside the container, and from the host.
struct Views {
    std::function<std::optional<FileFacts>(const std::string& path)> container;
    std::function<std::optional<FileFacts>(const std::string& path)> host;
};

// Where the bytes of a mount go. The last two may hang for ever if they are looked into: nobody but their server
// answers.
enum class Backing { none, block_device, own_devices, overlay, network, fuse };
Backing backing_of(const Mount& mount);

// The disks of a container, out of the mounts of its init: the one at "/" first, then each that holds data of its own.
std::vector<sdk::OwnedDisk> disks_of_mounts(const std::vector<Mount>& mounts, const Views& views);

} // namespace penstock::lxc
