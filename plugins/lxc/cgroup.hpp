// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"

#include <functional>

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
// a nested container's own) belongs to the container. names: of the containers around it, then its own.
std::string payload_cgroup(std::string_view init_cgroup, const std::vector<std::string>& names);

// The hierarchy that counts for block I/O: version 1's blkio, else the unified one.
const CgroupMembership* io_membership(const CgroupMemberships& all);

// Where the hierarchies are mounted, as the host sees them.
class CgroupMounts {
public:
    // mountinfo: of a process of the host, asked for when it is first needed. sys_root replaces "/sys".
    CgroupMounts(std::function<std::string()> mountinfo, std::string sys_root);

    // The directory of a cgroup of the hierarchy that `membership` is of.
    std::optional<std::string> directory_of(const CgroupMembership& membership, std::string_view path) const;

private:
    struct Hierarchy {
        std::string controllers;
        std::string directory;
    };
    const std::vector<Hierarchy>& hierarchies() const;

    std::function<std::string()> mountinfo_;
    std::string sys_root_;
    mutable std::optional<std::vector<Hierarchy>> hierarchies_;
};

// init_state: of /proc/PID/stat.
bool frozen(const CgroupMounts& mounts, const CgroupMemberships& memberships, char init_state);

// May containers have been made inside this one? LXC makes cgroups for them that are called after it.
bool may_nest(const CgroupMounts& mounts, const CgroupMembership& membership, std::string_view payload);

} // namespace penstock::lxc
