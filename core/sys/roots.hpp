// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace penstock {

// Where the kernel's trees are. Injectable, so that a captured tree can stand in for a host.
struct Roots {
    std::string proc = "/proc";
    std::string sys = "/sys";
    std::string cgroup = "/sys/fs/cgroup"; // mount points below this path in mountinfo are looked for here
    std::string dev = "/dev";
    std::string run = "/run";
};

} // namespace penstock
