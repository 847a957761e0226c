// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "sys/mount_info.hpp"
#include "sys/process_cgroups.hpp"
#include "sys/roots.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

enum class CgroupVersion : std::uint8_t { v1, v2 };

constexpr std::string_view name(CgroupVersion version) { return version == CgroupVersion::v1 ? "v1" : "v2"; }

// The one hierarchy in which block I/O is limited on this host: v1 with `blkio`, or v2 with `io`. Which one is a matter
// of each controller: a hybrid host has v2 mounted and blkio on v1.
struct Hierarchy {
    CgroupVersion version = CgroupVersion::v2;
    std::string mount_point;              // "/sys/fs/cgroup/blkio"
    std::string mount_root = "/";         // which part of it is mounted there; "/.." seen from a cgroup namespace
    std::vector<std::string> shared_with; // v1: other controllers that are mounted together with blkio

    // Where the cgroup `path` of /proc/PID/cgroup is found; nullopt: outside of what is mounted here.
    std::optional<std::string> directory(std::string_view path) const;
    // The line of /proc/PID/cgroup that belongs to this hierarchy.
    const CgroupLine* line_of(std::span<const CgroupLine> lines) const;
};

// UNSUPPORTED where neither is there, with what is and what to do.
Result<Hierarchy> find_io_hierarchy(const Roots& roots);

} // namespace penstock
