// SPDX-License-Identifier: Apache-2.0
#include "mount_disks.hpp"

#include "overlay.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace penstock::lxc {

namespace {

constexpr std::size_t disks_cap = 512;
constexpr std::size_t lower_layers_cap = 32;

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool below(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

using DeviceNumber = std::pair<std::uint32_t, std::uint32_t>;

sdk::OwnedLayer directory_layer(const Mount& mount) {
    sdk::OwnedLayer layer;
    layer.kind = PENSTOCK_LAYER_DIRECTORY;
    layer.flags = PENSTOCK_LAYER_HAS_ST_DEV | (mount.read_only ? PENSTOCK_LAYER_READ_ONLY : 0);
    layer.format = mount.type;
    layer.path = mount.point;
    layer.st_dev_major = mount.major;
    layer.st_dev_minor = mount.minor;
    if (mount.type == "zfs") layer.node = mount.source; // the dataset
    return layer;
}

sdk::OwnedLayer block_layer(const Mount& mount, DeviceNumber device) {
    sdk::OwnedLayer layer;
    layer.kind = PENSTOCK_LAYER_BLOCK;
    layer.flags = PENSTOCK_LAYER_HAS_RDEV;
    layer.rdev_major = device.first;
    layer.rdev_minor = device.second;
    if (mount.source.starts_with("/dev/")) layer.path = mount.source;
    return layer;
}

sdk::OwnedLayer network_layer(const Mount& mount) {
    sdk::OwnedLayer layer;
    layer.kind = PENSTOCK_LAYER_NETWORK;
    layer.format = mount.type;
    layer.path = mount.point;
    const auto at = mount.source.find('@'); // "user:secret@host"
    layer.uri = at == std::string::npos ? mount.source : mount.source.substr(at + 1);
    return layer;
}

sdk::OwnedLayer fuse_layer(const Mount& mount) {
    sdk::OwnedLayer layer;
    layer.kind = PENSTOCK_LAYER_OTHER;
    layer.format = mount.type;
    layer.path = mount.point;
    return layer;
}

// LXC mounts the root's overlay before it enters it: those directories are named as the host sees them. Any other
// overlay may be the tenant's own, so its directories are looked for inside only.
sdk::OwnedLayer overlay_layer(const std::string& path, bool read_only, bool root, const Views& views) {
    sdk::OwnedLayer layer;
    layer.kind = PENSTOCK_LAYER_DIRECTORY;
    layer.flags = read_only ? PENSTOCK_LAYER_READ_ONLY : 0;
    layer.path = path;
    if (const auto facts = root ? views.host(path) : views.container(path)) {
        layer.flags |= PENSTOCK_LAYER_HAS_ST_DEV;
        layer.st_dev_major = facts->major;
        layer.st_dev_minor = facts->minor;
    }
    return layer;
}

void add_layers(sdk::OwnedDisk& disk, const Mount& mount, const Views& views) {
    const auto backing = backing_of(mount);
    // No directory where these are: the host would look into it, and wait for the server.
    if (backing == Backing::network) return disk.layers.push_back(network_layer(mount));
    if (backing == Backing::fuse) {
        disk.note = "a process does this file system's I/O, in its own name: limit that one";
        return disk.layers.push_back(fuse_layer(mount));
    }
    disk.layers.push_back(directory_layer(mount));
    switch (backing) {
    case Backing::none: break;
    case Backing::block_device:
        // The number is the kernel's word for the device; the source is only the name somebody mounted it by.
        disk.layers.push_back(block_layer(mount, {mount.major, mount.minor}));
        break;
    case Backing::own_devices:
        if (mount.source.starts_with("/dev/")) {
            const auto facts = views.host(mount.source);
            if (facts && facts->block_device) disk.layers.push_back(block_layer(mount, {facts->rmajor, facts->rminor}));
        }
        break;
    case Backing::network:
    case Backing::fuse: break;
    case Backing::overlay: {
        const bool root = mount.point == "/";
        const auto directories = parse_overlay(mount.super_options);
        if (directories.upper) disk.layers.push_back(overlay_layer(*directories.upper, false, root, views));
        for (const auto& lower : directories.lower) {
            if (disk.layers.size() > lower_layers_cap) break;
            disk.layers.push_back(overlay_layer(lower, true, root, views));
        }
        if (!directories.upper) disk.flags |= PENSTOCK_DISK_READ_ONLY;
        disk.note = root ? "writes go to the first directory below the overlay; these directories are named as the "
                           "host sees them"
                         : "writes go to the first directory below the overlay";
        break;
    }
    }
}

sdk::OwnedDisk disk_of(const Mount& mount, const Views& views) {
    sdk::OwnedDisk disk;
    disk.native_id = mount.point;
    disk.driver = "mount";
    disk.cache_mode = PENSTOCK_CACHE_GUEST;
    disk.flags = mount.read_only ? PENSTOCK_DISK_READ_ONLY : 0;
    add_layers(disk, mount, views);
    return disk;
}

// The device that gets the writes, where it is known.
std::optional<DeviceNumber> device_written(const sdk::OwnedDisk& disk) {
    const auto& layer = disk.layers[disk.layers[0].format == "overlay" && disk.layers.size() > 1 ? 1 : 0];
    if ((layer.flags & PENSTOCK_LAYER_HAS_ST_DEV) == 0) return std::nullopt;
    return DeviceNumber{layer.st_dev_major, layer.st_dev_minor};
}

} // namespace

Backing backing_of(const Mount& mount) {
    static constexpr std::array<std::string_view, 3> own{"btrfs", "zfs", "bcachefs"};
    static constexpr std::array<std::string_view, 9> network{"nfs", "nfs4", "cifs",           "smb3",          "ceph",
                                                             "9p",  "afs",  "fuse.glusterfs", "fuse.ceph-fuse"};
    if (mount.major != 0) return Backing::block_device;
    if (mount.type == "overlay") return Backing::overlay;
    if (among(own, mount.type)) return Backing::own_devices;
    if (among(network, mount.type)) return Backing::network;
    // lxcfs shows a container its own /proc files.
    if ((mount.type == "fuse" || mount.type.starts_with("fuse.")) && mount.type != "fuse.lxcfs") return Backing::fuse;
    return Backing::none;
}

std::vector<sdk::OwnedDisk> disks_of_mounts(const std::vector<Mount>& mounts, const Views& views) {
    // A later mount at the same point hides the earlier one.
    std::map<std::string_view, const Mount*> topmost;
    for (const auto& mount : mounts) topmost[mount.point] = &mount;

    std::vector<sdk::OwnedDisk> disks;
    sdk::UniqueTargets targets;
    std::set<DeviceNumber> devices;
    const auto add = [&](sdk::OwnedDisk disk, std::string target) {
        if (const auto device = device_written(disk)) devices.insert(*device);
        disk.target = targets.take(std::move(target));
        disks.push_back(std::move(disk));
    };
    std::vector<const Mount*> secondary;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::string_view>> mounted;
    if (const auto root = topmost.find("/"); root != topmost.end()) {
        add(disk_of(*root->second, views), "rootfs");
        mounted.emplace(root->second->major, root->second->minor, root->second->root);
    }
    for (const auto& mount : mounts) {
        if (disks.size() == disks_cap) break;
        if (mount.point == "/" || topmost[mount.point] != &mount || mount.point.size() < 2) continue;
        const auto backing = backing_of(mount);
        if (backing == Backing::none || below(mount.point, "/proc") || below(mount.point, "/sys")) continue;
        const bool hangs = backing == Backing::network || backing == Backing::fuse;
        const auto facts = hangs ? std::nullopt : views.container(mount.point);
        if (facts && facts->mount_id != 0 && facts->mount_id != mount.id) continue; // under another mount
        // The I/O of a device node that is bind-mounted does not go to the file system the node lies on.
        if (facts && !facts->directory && !facts->regular) continue;
        if (backing == Backing::overlay || (facts && !facts->directory)) {
            secondary.push_back(&mount);
            continue;
        }
        // The same tree mounted twice is one disk.
        if (!mounted.emplace(mount.major, mount.minor, mount.root).second) continue;
        add(disk_of(mount, views), mount.point.substr(1));
    }
    // Single files (resolv.conf) and overlays made inside (each image layer of a Docker in the container) are disks
    // only if they bring in a device that no other disk has: else there would be hundreds, and no limit could tell them
    // apart.
    for (const auto* mount : secondary) {
        if (disks.size() == disks_cap) break;
        auto disk = disk_of(*mount, views);
        const auto device = device_written(disk);
        if (!device || devices.contains(*device)) continue;
        add(std::move(disk), mount->point.substr(1));
    }
    return disks;
}

} // namespace penstock::lxc
