// SPDX-License-Identifier: Apache-2.0
#include "resolve/file_system.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("who issues the I/O of a file system is known by its type") {
    CHECK(file_system_kind("ext4") == FileSystemKind::device);
    CHECK(file_system_kind("tmpfs") == FileSystemKind::memory);
    CHECK(file_system_kind("nfs4") == FileSystemKind::network);
    CHECK(file_system_kind("fuse.sshfs") == FileSystemKind::fuse);
    CHECK(file_system_kind("fuseblk") == FileSystemKind::fuse); // although its files carry a block device's number
    CHECK(file_system_kind("overlay") == FileSystemKind::overlay);
}

// Linux 6.1: grep -l SB_I_CGROUPWB fs/*/super.c
TEST_CASE("writeback is charged on the file systems that say so") {
    for (const auto* type : {"ext2", "ext4", "xfs", "btrfs", "f2fs"}) CHECK(charges_writeback(type));
    for (const auto* type : {"vfat", "ntfs3", "nfs4", "fuseblk", "ext3", ""}) CHECK(!charges_writeback(type));
}
