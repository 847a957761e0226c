// SPDX-License-Identifier: Apache-2.0
#include "cgroup.hpp"

#include "mount_table.hpp"
#include "text.hpp"

#include <algorithm>

namespace penstock::lxc {

namespace {

bool has_word(std::string_view list, std::string_view word) {
    const auto words = split(list, ',');
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

CgroupMemberships parse_memberships(std::string_view text) {
    CgroupMemberships all;
    while (!text.empty()) {
        auto line = take_until(text, '\n');
        take_until(line, ':');
        const auto controllers = take_until(line, ':');
        if (line.starts_with('/')) all.push_back({std::string{controllers}, std::string{line}});
    }
    return all;
}

const CgroupMembership* membership_of(const CgroupMemberships& all, std::string_view controller) {
    for (const auto& one : all) {
        if (controller.empty() ? one.controllers.empty() : has_word(one.controllers, controller)) return &one;
    }
    return nullptr;
}

std::string payload_cgroup(std::string_view init_cgroup, std::string_view container_name) {
    const auto ours = [&](std::string_view part) {
        constexpr std::string_view made = "lxc.payload.";
        if (part == container_name) return true;
        if (!part.starts_with(made)) return false;
        part.remove_prefix(made.size());
        // LXC appends "-1" and so on where a cgroup of that name was still there.
        return part.starts_with(container_name) && (part.size() == container_name.size() || part[container_name.size()] == '-');
    };
    std::size_t from = 1;
    while (from < init_cgroup.size()) {
        const auto end = std::min(init_cgroup.find('/', from), init_cgroup.size());
        if (ours(init_cgroup.substr(from, end - from))) return std::string{init_cgroup.substr(0, end)};
        from = end + 1;
    }
    constexpr std::string_view scope = "/init.scope";
    if (init_cgroup.ends_with(scope) && init_cgroup.size() > scope.size()) init_cgroup.remove_suffix(scope.size());
    return std::string{init_cgroup};
}

CgroupMounts::CgroupMounts(std::string_view mountinfo, std::string_view sys_root) {
    for (const auto& mount : parse_mountinfo(mountinfo)) {
        if ((mount.type != "cgroup" && mount.type != "cgroup2") || mount.root != "/") continue;
        std::string directory = mount.point;
        if (directory.starts_with("/sys/")) directory = std::string{sys_root} + directory.substr(4);
        mounts_.push_back({mount.type == "cgroup" ? mount.super_options : "", std::move(directory)});
    }
}

std::optional<std::string> CgroupMounts::directory_of(const CgroupMembership& membership, std::string_view path) const {
    for (const auto& mount : mounts_) {
        const auto first = split(membership.controllers, ',')[0];
        if (first.empty() ? mount.controllers.empty() : has_word(mount.controllers, first)) {
            return mount.directory + std::string{path};
        }
    }
    return std::nullopt;
}

bool frozen(const CgroupMounts& mounts, const CgroupMemberships& memberships) {
    const auto says = [&](std::string_view controller, const char* file, std::string_view wanted) {
        const auto* membership = membership_of(memberships, controller);
        if (membership == nullptr) return false;
        const auto directory = mounts.directory_of(*membership, membership->path);
        const auto text = directory ? Directory{*directory}.read(file, 4096) : std::nullopt;
        return text && text->find(wanted) != std::string::npos;
    };
    // A hierarchy has one freezer: with version 1's mounted LXC uses that, and version 2's is asked only without it.
    if (membership_of(memberships, "freezer") != nullptr) return says("freezer", "freezer.state", "FROZEN");
    return says("", "cgroup.events", "frozen 1");
}

} // namespace penstock::lxc
