// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/device_number.hpp"
#include "sys/roots.hpp"

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// One line of /proc/PID/mountinfo (man proc_pid_mountinfo), with its \040 escapes undone.
struct Mount {
    int id = 0;
    int parent = 0;
    DeviceNumber device; // st_dev of its files; anonymous (0:N) on btrfs, overlay, tmpfs
    std::string root;    // the directory of the file system that is mounted
    std::string mount_point;
    std::string options;
    std::string fs_type;
    std::string source;
    std::string super_options;
};

std::optional<Mount> parse_mount(std::string_view line);
// pid 0: our own. Lines that cannot be understood are left out.
Result<std::vector<Mount>> read_mounts(const Roots& roots, pid_t pid = 0);

} // namespace penstock
