// SPDX-License-Identifier: Apache-2.0
#include "cgroup.hpp"

#include "mount_table.hpp"
#include "text.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <dirent.h>
#include <sys/stat.h>

namespace penstock::lxc {

namespace {

bool has_word(std::string_view list, std::string_view word) {
    const auto words = sdk::split(list, ',');
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_payload_of(std::string_view part, std::string_view name) {
    constexpr std::string_view made = "lxc.payload.";
    if (part == name) return true;
    if (!part.starts_with(made)) return false;
    part.remove_prefix(made.size());
    // LXC appends "-1" and so on where a cgroup of that name was still there.
    return part.starts_with(name) && (part.size() == name.size() || part[name.size()] == '-');
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

std::string payload_cgroup(std::string_view init_cgroup, const std::vector<std::string>& names) {
    // The first part that fits: what lies deeper was made inside, and a limit there would not hold for all of it.
    auto name = names.begin();
    for (std::size_t from = 1; from < init_cgroup.size() && name != names.end();) {
        const auto end = std::min(init_cgroup.find('/', from), init_cgroup.size());
        if (is_payload_of(init_cgroup.substr(from, end - from), *name) && ++name == names.end()) {
            return std::string{init_cgroup.substr(0, end)};
        }
        from = end + 1;
    }
    constexpr std::string_view scope = "/init.scope";
    if (init_cgroup.ends_with(scope) && init_cgroup.size() > scope.size()) init_cgroup.remove_suffix(scope.size());
    return std::string{init_cgroup};
}

const CgroupMembership* io_membership(const CgroupMemberships& all) {
    const auto* membership = membership_of(all, "blkio");
    return membership != nullptr ? membership : membership_of(all, "");
}

CgroupMounts::CgroupMounts(std::function<std::string()> mountinfo, std::string sys_root)
    : mountinfo_{std::move(mountinfo)}, sys_root_{std::move(sys_root)} {}

const std::vector<CgroupMounts::Hierarchy>& CgroupMounts::hierarchies() const {
    if (hierarchies_) return *hierarchies_;
    hierarchies_.emplace();
    for (const auto& mount : parse_mountinfo(mountinfo_())) {
        if ((mount.type != "cgroup" && mount.type != "cgroup2") || mount.root != "/") continue;
        const bool in_sys = mount.point.starts_with("/sys/");
        hierarchies_->push_back({mount.type == "cgroup" ? mount.super_options : "",
                                 in_sys ? sys_root_ + mount.point.substr(4) : mount.point});
    }
    return *hierarchies_;
}

std::optional<std::string> CgroupMounts::directory_of(const CgroupMembership& membership, std::string_view path) const {
    const auto first = sdk::split(membership.controllers, ',')[0];
    for (const auto& hierarchy : hierarchies()) {
        if (first.empty() ? hierarchy.controllers.empty() : has_word(hierarchy.controllers, first)) {
            return hierarchy.directory + std::string{path};
        }
    }
    return std::nullopt;
}

bool frozen(const CgroupMounts& mounts, const CgroupMemberships& memberships, char init_state) {
    const auto says = [&](const CgroupMembership& membership, const char* file, std::string_view wanted) {
        const auto directory = mounts.directory_of(membership, membership.path + "/" + file);
        const auto text = directory ? Directory{}.read_piece(directory->c_str()) : std::nullopt;
        return text && text->find(wanted) != std::string::npos;
    };
    // With version 1's freezer mounted LXC uses that one. It puts tasks into an uninterruptible sleep, which saves the
    // look at all others; version 2's freezer does not.
    if (const auto* membership = membership_of(memberships, "freezer")) {
        return init_state == 'D' && says(*membership, "freezer.state", "FROZEN");
    }
    const auto* membership = membership_of(memberships, "");
    return membership != nullptr && says(*membership, "cgroup.events", "frozen 1");
}

bool may_nest(const CgroupMounts& mounts, const CgroupMembership& membership, std::string_view payload) {
    constexpr std::size_t entries_cap = 10'000;
    const auto path = mounts.directory_of(membership, payload);
    struct stat status {};
    // A cgroup has a link for each cgroup below it, besides its own two.
    if (!path || ::stat(path->c_str(), &status) != 0 || status.st_nlink == 2) return false;
    const auto entries = Directory{*path}.entries(entries_cap);
    return std::any_of(entries.begin(), entries.end(),
                       [](const auto& entry) { return entry.type == DT_DIR && entry.name.starts_with("lxc"); });
}

} // namespace penstock::lxc
