// SPDX-License-Identifier: Apache-2.0
#include "resolve/backing_chain.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "sys/btrfs.hpp"

#include <sys/stat.h>

using namespace penstock;

namespace {

struct Host {
    FakeTree tree;
    Roots roots;
    Instance instance;

    Host() {
        roots.sys = tree.path("sys");
        roots.proc = tree.path("proc");
        instance.name = "vm";
    }
    void device(const std::string& number, const std::string& below_devices) {
        tree.file("sys/devices/" + below_devices + "/dev", number + "\n");
        tree.link("sys/dev/block/" + number, "../../devices/" + below_devices);
    }
    void partitioned_disk() {
        device("8:0", "block/sda");
        device("8:2", "block/sda/sda2");
        tree.file("sys/devices/block/sda/sda2/partition", "2\n");
    }
    BackingChain chain(Layer layer) {
        Disk disk;
        disk.target = "vda";
        disk.layers = {std::move(layer)};
        return resolve_chain(roots, instance, disk);
    }
};

Layer block(DeviceNumber number) { return {.kind = LayerKind::block, .path = "/dev/x", .device = number}; }
Layer image(DeviceNumber file_system) {
    return {.kind = LayerKind::file, .format = "raw", .path = "/nonexistent/a.img", .file_system = file_system};
}

} // namespace

TEST_CASE("a whole disk is limited itself") {
    Host host;
    host.device("8:0", "block/sda");
    const auto chain = host.chain(block({8, 0}));
    REQUIRE(chain.device);
    CHECK(chain.device->name == "sda");
    CHECK(chain.own_device);
    CHECK(chain.notes.empty());
}

TEST_CASE("a partition is limited on its whole disk, and that is said") {
    Host host;
    host.partitioned_disk();
    const auto chain = host.chain(block({8, 2}));
    REQUIRE(chain.device);
    CHECK(chain.device->number == DeviceNumber{8, 0});
    CHECK(!chain.own_device);
    REQUIRE(chain.notes.size() == 1);
    CHECK(chain.notes[0].find("sda2") != std::string::npos);
    CHECK(chain.notes[0].find("all of sda") != std::string::npos);
}

TEST_CASE("an image file is limited on the disk of its file system") {
    Host host;
    host.partitioned_disk();
    const auto chain = host.chain(image({8, 2}));
    REQUIRE(chain.device);
    CHECK(chain.device->name == "sda");
    CHECK(!chain.own_device);
}

TEST_CASE("a dm device is limited itself; what it is made of is shown down to the disk") {
    Host host;
    host.partitioned_disk();
    host.device("253:0", "virtual/block/dm-0");
    host.tree.file("sys/devices/virtual/block/dm-0/dm/name", "vg-lv\n");
    host.tree.file("sys/devices/virtual/block/dm-0/slaves/sda2/dev", "8:2\n");
    const auto chain = host.chain(block({253, 0}));
    REQUIRE(chain.device);
    CHECK(chain.device->name == "dm-0");
    CHECK(chain.own_device);
    REQUIRE(chain.links.size() == 3);
    CHECK(chain.links[0].detail == "vg-lv");
    CHECK(chain.links[1].name == "sda2");
    CHECK(chain.links[2].name == "sda");
    CHECK(chain.links[2].depth == 2);
}

TEST_CASE("a stack that refers to itself ends") {
    Host host;
    host.device("253:0", "virtual/block/dm-0");
    host.device("253:1", "virtual/block/dm-1");
    host.tree.file("sys/devices/virtual/block/dm-0/slaves/dm-1/dev", "253:1\n");
    host.tree.file("sys/devices/virtual/block/dm-1/slaves/dm-0/dev", "253:0\n");
    const auto chain = host.chain(block({253, 0}));
    CHECK(chain.links.size() <= 3);
}

TEST_CASE("what no block device carries is an obstacle with a remedy") {
    Host host;
    host.device("230:0", "virtual/block/zd0");
    const auto network = host.chain({.kind = LayerKind::network, .uri = "nbd://host/x"});
    const auto zvol = host.chain(block({230, 0}));
    const auto gone = host.chain(block({9, 9}));
    const auto anonymous = host.chain(image({0, 30}));
    for (const auto& chain : {network, zvol, gone, anonymous}) {
        CHECK(!chain.device);
        REQUIRE(chain.obstacle);
        CHECK(!chain.obstacle->reason.empty());
        CHECK(!chain.obstacle->remedy.empty());
    }
    CHECK(zvol.obstacle->reason.find("ZFS") != std::string::npos);
}

TEST_CASE("a real file is found on the device that stat names, through symbolic links") {
    Host host;
    host.tree.file("data/a.img", "x");
    host.tree.link("data/link", "a.img");
    const auto chain = host.chain({.kind = LayerKind::file, .path = host.tree.path("data/link")});
    REQUIRE(chain.links.size() >= 2);
    struct stat status {};
    REQUIRE(::stat(host.tree.path("data/a.img").c_str(), &status) == 0);
    CHECK(chain.links[1].device == DeviceNumber::from_dev(status.st_dev));
}

TEST_CASE("a path that leads to a FIFO is refused without opening it") {
    Host host;
    REQUIRE(::mkfifo(host.tree.path("fifo").c_str(), 0600) == 0);
    host.tree.link("disk", "fifo");
    const auto chain = host.chain({.kind = LayerKind::file, .path = host.tree.path("disk")});
    REQUIRE(chain.obstacle);
    CHECK(chain.obstacle->reason.find("neither a file") != std::string::npos);
}

TEST_CASE("reads that fall through to an image on another disk are not covered, and that is said") {
    Host host;
    host.device("8:0", "block/sda");
    host.device("8:16", "block/sdb");
    Disk disk;
    disk.layers = {image({8, 0}), image({8, 16})};
    disk.layers[1].path = "/base.qcow2";
    const auto chain = resolve_chain(host.roots, host.instance, disk);
    REQUIRE(chain.notes.size() == 1);
    CHECK(chain.notes[0] == "reads that fall through to /base.qcow2 (sdb) are not covered");
}

TEST_CASE("a Btrfs of several devices is limited on one of them, which lets I/O pass") {
    Host host;
    host.device("8:0", "block/sda");
    host.device("8:16", "block/sdb");
    host.device("8:32", "block/sdc");
    for (const auto* disk : {"sda", "sdb"})
        host.tree.link(std::string{"sys/fs/btrfs/5c3e/devices/"} + disk,
                       std::string{"../../../../devices/block/"} + disk);
    host.tree.link("sys/fs/btrfs/77aa/devices/sdc", "../../../../devices/block/sdc");
    CHECK(btrfs_devices(host.roots, {8, 16}) == std::vector<DeviceNumber>{{8, 0}, {8, 16}});
    CHECK(btrfs_devices(host.roots, {8, 32}).size() == 1);
    CHECK(btrfs_devices(host.roots, {8, 48}).empty());
}

TEST_CASE("a loop device is limited itself; the disk below its file only where it does direct I/O") {
    Host host;
    host.tree.file("data/a.img", "x");
    struct stat status {};
    REQUIRE(::stat(host.tree.path("data/a.img").c_str(), &status) == 0);
    const auto disk = DeviceNumber::from_dev(status.st_dev).text();
    host.device(disk, "block/sda");
    host.device("7:0", "virtual/block/loop0");
    host.tree.file("sys/devices/virtual/block/loop0/loop/backing_file", host.tree.path("data/a.img") + "\n");
    for (const bool direct : {false, true}) {
        host.tree.file("sys/devices/virtual/block/loop0/loop/dio", direct ? "1\n" : "0\n");
        const auto chain = host.chain(block({7, 0}));
        REQUIRE(chain.device);
        CHECK(chain.device->name == "loop0");
        CHECK(chain.own_device);
        REQUIRE(chain.links.back().name == "sda");
        CHECK(chain.links.back().partial.has_value() == !direct);
    }
}
