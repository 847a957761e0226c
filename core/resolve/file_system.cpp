// SPDX-License-Identifier: Apache-2.0
#include "resolve/file_system.hpp"

#include <algorithm>
#include <array>

namespace penstock {
namespace {

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& names, std::string_view type) {
    return std::find(names.begin(), names.end(), type) != names.end();
}

} // namespace

FileSystemKind file_system_kind(std::string_view type) {
    static constexpr std::array<std::string_view, 4> memory{"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"};
    static constexpr std::array<std::string_view, 9> network{"nfs", "nfs4",      "cifs",   "smb3", "ceph",
                                                             "9p",  "glusterfs", "lustre", "afs"};
    if (any_of(memory, type)) return FileSystemKind::memory;
    if (any_of(network, type)) return FileSystemKind::network;
    // Also fuseblk: its files carry the number of a block device, but it is the file system's daemon that does the I/O.
    if (type.starts_with("fuse") || type == "virtiofs") return FileSystemKind::fuse;
    if (type == "zfs") return FileSystemKind::zfs;
    if (type == "btrfs") return FileSystemKind::btrfs;
    if (type == "overlay") return FileSystemKind::overlay;
    return FileSystemKind::device;
}

bool charges_writeback(std::string_view type) {
    static constexpr std::array<std::string_view, 5> charging{"ext2", "ext4", "xfs", "btrfs", "f2fs"};
    return any_of(charging, type);
}

} // namespace penstock
