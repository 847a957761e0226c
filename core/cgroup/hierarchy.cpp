// SPDX-License-Identifier: Apache-2.0
#include "cgroup/hierarchy.hpp"

#include "sys/file.hpp"

#include <algorithm>

namespace penstock {
namespace {

// Names of the v1 controllers of a mount: its super options without the flags ("rw", "xattr", "name=systemd").
std::vector<std::string> controllers_of(const Mount& mount) {
    static constexpr std::array<std::string_view, 13> known{"blkio",    "cpu",        "cpuacct", "cpuset", "devices",
                                                            "freezer",  "hugetlb",    "memory",  "misc",   "net_cls",
                                                            "net_prio", "perf_event", "pids"};
    std::vector<std::string> out;
    for (std::string_view rest = mount.super_options; !rest.empty();) {
        const auto end = std::min(rest.find(','), rest.size());
        if (const auto word = rest.substr(0, end); std::find(known.begin(), known.end(), word) != known.end())
            out.emplace_back(word);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) {
        const auto end = at + word.size();
        const bool starts = at == 0 || text[at - 1] == ' ';
        const bool ends = end == text.size() || text[end] == ' ' || text[end] == '\n';
        if (starts && ends) return true;
    }
    return false;
}

std::string rebase(const Roots& roots, const std::string& mount_point) {
    static const std::string usual = "/sys/fs/cgroup";
    if (roots.cgroup != usual && (mount_point == usual || mount_point.starts_with(usual + "/")))
        return roots.cgroup + mount_point.substr(usual.size());
    return mount_point;
}

} // namespace

std::optional<std::string> Hierarchy::directory(std::string_view path) const {
    if (path.empty() || path[0] != '/') return std::nullopt;
    if (mount_root != "/") {
        if (path != mount_root && !path.starts_with(mount_root + "/")) return std::nullopt;
        path.remove_prefix(mount_root.size());
    }
    if (path.find("/..") != std::string_view::npos) return std::nullopt;
    return path == "/" ? mount_point : mount_point + std::string{path};
}

const CgroupLine* Hierarchy::line_of(std::span<const CgroupLine> lines) const {
    for (const auto& line : lines) {
        const bool ours = version == CgroupVersion::v2 ? line.hierarchy == 0
                                                       : std::find(line.controllers.begin(), line.controllers.end(),
                                                                   "blkio") != line.controllers.end();
        if (ours) return &line;
    }
    return nullptr;
}

Result<Hierarchy> find_io_hierarchy(const Roots& roots) {
    const auto mounts = read_mounts(roots);
    if (!mounts) return mounts.error();
    const Mount* unified = nullptr;
    for (const auto& mount : *mounts) {
        if (mount.fs_type == "cgroup2" && (unified == nullptr || mount.root == "/")) unified = &mount;
        if (mount.fs_type != "cgroup") continue;
        auto controllers = controllers_of(mount);
        if (std::erase(controllers, "blkio") == 0) continue;
        return Hierarchy{CgroupVersion::v1, rebase(roots, mount.mount_point), mount.root, std::move(controllers)};
    }
    if (unified == nullptr)
        return Error{ErrorCode::unsupported, "no cgroup hierarchy with block I/O limits is mounted"}.advise(
            "mount cgroup2 on /sys/fs/cgroup, or the v1 controller blkio");
    const auto mount_point = rebase(roots, unified->mount_point);
    const auto controllers = read_line(mount_point + "/cgroup.controllers");
    if (!controllers) return controllers.error();
    if (!has_word(*controllers, "io"))
        return Error{ErrorCode::unsupported, "the kernel offers no `io` controller in " + mount_point +
                                                 " (it has: " + (controllers->empty() ? "none" : *controllers) + ")"}
            .advise("a kernel with CONFIG_BLK_CGROUP, or the v1 controller blkio released from its hierarchy");
    return Hierarchy{CgroupVersion::v2, mount_point, unified->root, {}};
}

} // namespace penstock
