// SPDX-License-Identifier: Apache-2.0
#include "device_nodes.hpp"

#include "device_access.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace penstock::lxc {

namespace {

constexpr int depth_cap = 4;
constexpr std::size_t entries_cap = 4'096; // a directory
constexpr std::size_t nodes_cap = 128;

void walk(const Directory& directory, const std::string& prefix, int depth, dev_t file_system,
          std::vector<DeviceNode>& nodes) {
    for (const auto& entry : directory.entries(entries_cap)) {
        if (nodes.size() >= nodes_cap) return;
        // A node that is bind-mounted stands on a plain file, and that is the type readdir tells.
        if (entry.type == DT_LNK || entry.type == DT_CHR || entry.type == DT_FIFO || entry.type == DT_SOCK) continue;
        struct stat status {};
        if (::fstatat(directory.fd(), entry.name.c_str(), &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) != 0)
            continue;
        if (S_ISBLK(status.st_mode))
            nodes.push_back({prefix + entry.name, major(status.st_rdev), minor(status.st_rdev)});
        // Another file system below /dev (mqueue, shm, hugepages) holds no device nodes of the container.
        if (!S_ISDIR(status.st_mode) || depth == depth_cap || status.st_dev != file_system) continue;
        const auto below = directory.open_beneath(entry.name);
        if (below) walk(below, prefix + entry.name + "/", depth + 1, file_system, nodes);
    }
}

} // namespace

std::vector<DeviceNode> find_device_nodes(const Directory& dev) {
    std::vector<DeviceNode> nodes;
    struct stat status {};
    if (dev && ::fstat(dev.fd(), &status) == 0) walk(dev, "", 1, status.st_dev, nodes);
    std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return nodes;
}

void add_device_disks(std::vector<sdk::OwnedDisk>& disks, const std::vector<DeviceNode>& nodes,
                      const std::optional<std::string>& devices_list) {
    sdk::UniqueTargets targets;
    for (const auto& disk : disks) targets.take(disk.target);
    for (const auto& node : nodes) {
        const auto access = devices_list ? device_access(*devices_list, node.major, node.minor) : DeviceAccess{};
        if (!access.read && !access.write) continue;
        sdk::OwnedDisk disk;
        disk.native_id = "/dev/" + node.path;
        disk.driver = "device";
        disk.flags = access.write ? 0 : PENSTOCK_DISK_READ_ONLY;
        if (!devices_list)
            disk.note = "a device node in the container; whether its device filter allows it is not known";
        sdk::OwnedLayer layer;
        layer.kind = PENSTOCK_LAYER_BLOCK;
        layer.flags = PENSTOCK_LAYER_HAS_RDEV | (access.write ? 0 : PENSTOCK_LAYER_READ_ONLY);
        layer.format = "raw";
        layer.path = disk.native_id;
        layer.rdev_major = node.major;
        layer.rdev_minor = node.minor;
        disk.layers.push_back(std::move(layer));
        disk.target = targets.take(node.path);
        disks.push_back(std::move(disk));
    }
}

} // namespace penstock::lxc
