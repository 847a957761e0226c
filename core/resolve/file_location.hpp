// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/device_number.hpp"
#include "sys/mount_info.hpp"
#include "sys/roots.hpp"

#include <sys/types.h>

#include <optional>
#include <string>

namespace penstock {

// Where a path really lies: the mount it is on and the device numbers of its inode.
struct FileLocation {
    std::optional<DeviceNumber> device; // the path is a block device node: its number
    DeviceNumber file_system;           // st_dev
    std::optional<Mount> mount;
};

// `path` as process `root_pid` sees it (0: as we do). Opened with O_PATH beneath /proc/PID/root, so that no symbolic
// link leads outside of what that process can see, and nothing is ever opened for real.
Result<FileLocation> locate_file(const Roots& roots, pid_t root_pid, const std::string& path);

// The mount of `file_system` that holds `path`; found by the kernel's mount id, never by comparing path prefixes.
std::optional<Mount> mount_of(const std::vector<Mount>& mounts, int mount_id);

} // namespace penstock
