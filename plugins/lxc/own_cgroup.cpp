// SPDX-License-Identifier: Apache-2.0
#include "own_cgroup.hpp"

namespace penstock::lxc {

namespace {

bool holds(std::string_view cgroup, std::string_view path) {
    return path.starts_with(cgroup) && (path.size() == cgroup.size() || path[cgroup.size()] == '/');
}

} // namespace

std::string own_cgroup(const Processes& processes, const Container& container) {
    const auto* membership = io_membership(container.memberships);
    if (membership == nullptr || membership->path == "/") return {};
    auto payload = payload_cgroup(membership->path, container.names());
    // Root's containers have the cgroups that LXC makes. Everybody else's name could be chosen so that a cgroup of
    // other people looks like the container's: the monitor is never in it, so that is asked too.
    const bool made_by_root = !container.nested && container.monitor_uid == 0;
    if (made_by_root && payload.find("/lxc.payload.") != std::string::npos) return payload;
    const auto text = processes.cgroups(container.monitor);
    const auto memberships = parse_memberships(text.value_or(""));
    const auto* monitor = membership_of(memberships, membership->controllers.empty() ? "" : "blkio");
    if (monitor == nullptr || holds(payload, monitor->path)) return {};
    return payload;
}

} // namespace penstock::lxc
