// SPDX-License-Identifier: Apache-2.0
#include "sys/mount_info.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

TEST_CASE("a mountinfo line, with optional fields and escapes") {
    const auto mount = parse_mount(
        R"(36 35 98:0 /mnt1 /mnt/a\040b\134040\012c! rw,noatime master:1 shared:2 - ext3 /dev/ro\011ot rw,errors=continue)");
    REQUIRE(mount);
    CHECK(mount->id == 36);
    CHECK(mount->parent == 35);
    CHECK(mount->device == DeviceNumber{98, 0});
    CHECK(mount->root == "/mnt1");
    CHECK(mount->mount_point == "/mnt/a b\\040\nc!");
    CHECK(mount->fs_type == "ext3");
    CHECK(mount->source == "/dev/ro\tot");
    CHECK(mount->super_options == "rw,errors=continue");
}

TEST_CASE("lines that are cut short or garbled are left out, the others stay") {
    for (const auto* line : {"", "36", "36 35 98:0 / /mnt rw", "36 35 98 / /mnt rw - ext4 /dev/x rw",
                             "a b 98:0 / /mnt rw - ext4 /dev/x rw", "36 35 98:0 / /mnt rw -", "- - - - - - - - -"})
        CHECK(!parse_mount(line));
    FakeTree tree;
    tree.file("proc/7/mountinfo", "garbage\n36 35 8:1 / /mnt rw - ext4 /dev/sda1 rw\n");
    Roots roots;
    roots.proc = tree.path("proc");
    const auto mounts = read_mounts(roots, 7);
    REQUIRE(mounts);
    REQUIRE(mounts->size() == 1);
    CHECK(mounts->front().mount_point == "/mnt");
}
