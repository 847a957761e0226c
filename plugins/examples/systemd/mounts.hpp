// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace systemd {

// A file system on a block device, where a process first sees it.
struct FileSystem {
    std::string mount_point;
    std::string type;
    std::string source; // "/dev/sda1"
    std::uint32_t major = 0, minor = 0;
    bool read_only = false;
};

// Those of /proc/PID/mountinfo (man proc_pid_mountinfo) that have a device node as their source, each device once.
std::vector<FileSystem> file_systems(std::string_view mountinfo);

} // namespace systemd
