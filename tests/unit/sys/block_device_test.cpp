// SPDX-License-Identifier: Apache-2.0
#include "sys/block_device.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

// sysfs as kernel 6.1 lays it out: /sys/dev/block/M:m is a link into /sys/devices.
Roots host(const FakeTree& tree) {
    Roots roots;
    roots.sys = tree.path();
    return roots;
}

void device(const FakeTree& tree, const std::string& number, const std::string& below_devices) {
    tree.file("devices/" + below_devices + "/dev", number + "\n");
    tree.link("dev/block/" + number, "../../devices/" + below_devices);
}

} // namespace

TEST_CASE("a whole disk with wwid, scheduler and diskseq") {
    FakeTree tree;
    device(tree, "8:0", "pci/block/sda");
    tree.file("devices/pci/block/sda/diskseq", "3\n");
    tree.file("devices/pci/block/sda/device/wwid", "naa.5000c500\n");
    tree.file("devices/pci/block/sda/queue/scheduler", "none [mq-deadline] kyber bfq\n");
    const auto found = read_block_device(host(tree), {8, 0});
    REQUIRE(found);
    CHECK(found->kind == BlockKind::disk);
    CHECK(found->name == "sda");
    CHECK(found->whole == DeviceNumber{8, 0});
    CHECK(found->scheduler == "mq-deadline");
    CHECK(found->identity() == "wwid naa.5000c500");
}

TEST_CASE("a partition belongs to its whole disk") {
    FakeTree tree;
    device(tree, "259:0", "pci/block/nvme0n1");
    device(tree, "259:2", "pci/block/nvme0n1/nvme0n1p2");
    tree.file("devices/pci/block/nvme0n1/nvme0n1p2/partition", "2\n");
    tree.file("devices/pci/block/nvme0n1/wwid", "eui.0025\n");
    const auto found = read_block_device(host(tree), {259, 2});
    REQUIRE(found);
    CHECK(found->kind == BlockKind::partition);
    CHECK(found->name == "nvme0n1p2");
    CHECK(found->whole == DeviceNumber{259, 0});
    CHECK(found->whole_name == "nvme0n1");
    CHECK(found->identity() == "wwid eui.0025");
}

TEST_CASE("a loop device names its file, and is another one after each attach") {
    FakeTree tree;
    device(tree, "7:3", "virtual/block/loop3");
    tree.file("devices/virtual/block/loop3/loop/backing_file", "/srv/a b.img\n");
    tree.file("devices/virtual/block/loop3/loop/dio", "1\n");
    tree.file("devices/virtual/block/loop3/diskseq", "17\n");
    const auto found = read_block_device(host(tree), {7, 3});
    REQUIRE(found);
    CHECK(found->kind == BlockKind::loop);
    CHECK(found->backing_file == "/srv/a b.img");
    CHECK(found->loop_direct_io);
    CHECK(found->identity() == "diskseq 17");
}

TEST_CASE("a dm device is known by its uuid, and lists what it is made of") {
    FakeTree tree;
    device(tree, "253:1", "virtual/block/dm-1");
    tree.file("devices/virtual/block/dm-1/dm/name", "vg-lv\n");
    tree.file("devices/virtual/block/dm-1/dm/uuid", "LVM-abc\n");
    tree.file("devices/virtual/block/dm-1/slaves/sdb/dev", "8:16\n");
    tree.file("devices/virtual/block/dm-1/slaves/sda2/dev", "8:2\n");
    const auto found = read_block_device(host(tree), {253, 1});
    REQUIRE(found);
    CHECK(found->kind == BlockKind::device_mapper);
    CHECK(found->identity() == "dm-uuid LVM-abc");
    CHECK(found->below == std::vector<DeviceNumber>{{8, 2}, {8, 16}});
}

TEST_CASE("a number without a device is gone") {
    FakeTree tree;
    const auto found = read_block_device(host(tree), {99, 99});
    REQUIRE(!found);
    CHECK(found.error().code() == ErrorCode::gone);
}
