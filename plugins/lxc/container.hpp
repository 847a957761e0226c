// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup.hpp"
#include "container_name.hpp"

#include <penstock/process.hpp>

#include <sys/types.h>

namespace penstock::lxc {

// A running container as discovery found and verified it. Pids are the host's.
struct Container {
    std::string id;   // "/var/lib/lxc/web"; nested: "/var/lib/lxc/outer//var/lib/lxc/inner"
    std::string name; // "web"; nested: "outer/inner"
    ContainerName own;
    int monitor = 0;
    int init = 0;
    std::uint64_t init_start = 0;
    uid_t monitor_uid = 0;
    uid_t init_uid = 0;
    char init_state = '?';
    bool nested = false;
    CgroupMemberships memberships;
    std::string cgroup; // of its own, in the hierarchy of block I/O; empty: it shares one with others

    // Of the containers around it, the outermost first, then its own.
    std::vector<std::string> names() const;
    std::string incarnation() const { return sdk::Incarnation{init, init_start}.text(); }
};

} // namespace penstock::lxc
