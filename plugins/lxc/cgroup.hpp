// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"

namespace penstock::lxc {

// A line of /proc/PID/cgroup.
struct CgroupMembership {
    std::string controllers; // "blkio", "cpu,cpuacct", "name=systemd"; empty: the unified hierarchy
    std::string path;
};
using CgroupMemberships = std::vector<CgroupMembership>;

CgroupMemberships parse_memberships(std::string_view text);

// The membership that has this controller in version 1; empty: version 2.
const CgroupMembership* membership_of(const CgroupMemberships& all, std::string_view controller);

// The cgroup that LXC made for the container: what is below it (init.scope of a systemd inside, Proxmox's "ns",
// a nested container's own) belongs to the container.
std::string payload_cgroup(std::string_view init_cgroup, std::string_view container_name);

// Where the hierarchies are mounted, as the host sees them.
class CgroupMounts {
public:
    // mountinfo: of a process of the host. sys_root replaces "/sys".
    CgroupMounts(std::string_view mountinfo, std::string_view sys_root);

    std::optional<std::string> directory_of(const CgroupMembership& membership, std::string_view path) const;

private:
    struct Mount {
        std::string controllers;
        std::string directory;
    };
    std::vector<Mount> mounts_;
};

bool frozen(const CgroupMounts& mounts, const CgroupMemberships& memberships);

} // namespace penstock::lxc
