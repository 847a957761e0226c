// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "sys/roots.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// One line of /proc/PID/cgroup (man cgroups): "7:blkio:/machine/x" on v1, "0::/system.slice/x" on v2.
struct CgroupLine {
    int hierarchy = 0;                    // 0: v2
    std::vector<std::string> controllers; // empty on v2
    std::string path;                     // within its hierarchy, as the reader's cgroup namespace sees it
    bool operator==(const CgroupLine&) const = default;
};

// Lines that cannot be understood are left out.
std::vector<CgroupLine> parse_process_cgroups(std::string_view text);
// tid 0: the process; on v1 each thread can be elsewhere.
Result<std::vector<CgroupLine>> read_process_cgroups(const Roots& roots, pid_t pid, pid_t tid = 0);

} // namespace penstock
