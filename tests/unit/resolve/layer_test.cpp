// SPDX-License-Identifier: Apache-2.0
#include "resolve/layer.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

// Devices as sysfs shows them.
struct Host {
    FakeTree tree;
    Roots roots;

    Host() {
        roots.sys = tree.path("sys");
        roots.proc = tree.path("proc");
    }
    void device(const std::string& name, const std::string& number, const std::vector<std::string>& below = {}) {
        const auto at = "sys/devices/block/" + name;
        tree.file(at + "/dev", number + "\n");
        tree.link("sys/dev/block/" + number, "../../devices/block/" + name);
        for (const auto& slave : below) tree.link(at + "/slaves/" + slave, "../../" + slave);
    }
    void mapping(const std::string& name, const std::string& number, const std::string& dm_name,
                 const std::string& uuid, const std::vector<std::string>& below) {
        device(name, number, below);
        tree.file("sys/devices/block/" + name + "/dm/name", dm_name + "\n");
        tree.file("sys/devices/block/" + name + "/dm/uuid", uuid + "\n");
    }
    BackingChain chain(DeviceNumber number) {
        Disk disk;
        disk.layers = {{.kind = LayerKind::block, .path = "/dev/x", .device = number}};
        return resolve_chain(roots, {}, disk);
    }
    // Why a limit on `layer` would not act on everything; empty where it does.
    std::string partial(DeviceNumber top, const std::string& layer) {
        const auto chosen = at_layer(roots, chain(top), layer);
        REQUIRE(chosen);
        return chosen->partial ? chosen->partial->reason : "";
    }
};

} // namespace

TEST_CASE("a layer is named by kernel name, device-mapper name, path or number") {
    Host host;
    host.device("sda", "8:0");
    host.mapping("dm-0", "252:0", "vg-lv", "LVM-abc", {"sda"});
    host.mapping("dm-1", "252:1", "luks", "CRYPT-LUKS2-def", {"dm-0"});
    const auto chain = host.chain({252, 1});
    REQUIRE(chain.device);
    CHECK(chain.device->name == "dm-1");
    CHECK(chain.links[0].detail == "CRYPT luks");
    for (const auto* name : {"dm-0", "vg-lv", "/dev/dm-0", "/dev/mapper/vg-lv", "252:0"}) {
        const auto chosen = at_layer(host.roots, chain, name);
        REQUIRE(chosen);
        CHECK(chosen->device->number == DeviceNumber{252, 0});
        CHECK(!chosen->own_device);
        CHECK(!chosen->partial); // bios keep the cgroup through device-mapper
    }
    const auto bottom = at_layer(host.roots, chain, "sda");
    REQUIRE(bottom);
    CHECK(bottom->device->name == "sda");
}

TEST_CASE("a layer that is not there is refused with those that are") {
    Host host;
    host.device("sda", "8:0");
    host.mapping("dm-0", "252:0", "vg-lv", "LVM-abc", {"sda"});
    const auto chosen = at_layer(host.roots, host.chain({252, 0}), "sdb");
    REQUIRE(!chosen);
    CHECK(chosen.error().code() == ErrorCode::not_found);
    CHECK(chosen.error().next() == "its layers are: dm-0, sda");
    CHECK(!at_layer(host.roots, host.chain({252, 0}), ""));
}

TEST_CASE("a device that is one of several gets a part of the I/O only") {
    Host host;
    host.device("sda", "8:0");
    host.device("sdb", "8:16");
    host.device("md0", "9:0", {"sda", "sdb"});
    host.device("md5", "9:5", {"sda", "sdb"});
    host.tree.file("sys/devices/block/md0/md/level", "raid0\n");
    host.tree.file("sys/devices/block/md5/md/level", "raid5\n");
    host.mapping("dm-2", "252:2", "mpatha", "mpath-360", {"sda", "sdb"});
    CHECK(host.partial({9, 0}, "md0").empty());
    CHECK(host.partial({9, 0}, "sda") == "md0 spreads its I/O over 2 devices, and this is one of them");
    CHECK(host.partial({252, 2}, "sdb") == "dm-2 spreads its I/O over 2 devices, and this is one of them");
    // Measured: member I/O of a raid5 is not charged to the writer at all.
    CHECK(host.partial({9, 5}, "sda").find("md's own thread") != std::string::npos);
}

TEST_CASE("what holds for a layer holds for all below it") {
    Host host;
    host.device("sda", "8:0");
    host.device("sdb", "8:16");
    host.mapping("dm-0", "252:0", "vg-pv", "LVM-abc", {"sda"});
    host.device("md5", "9:5", {"dm-0", "sdb"});
    host.tree.file("sys/devices/block/md5/md/level", "raid5\n");
    CHECK(host.partial({9, 5}, "sda").find("md's own thread") != std::string::npos);
}

TEST_CASE("bcache answers from its cache, so that only bcache itself can be limited") {
    Host host;
    host.device("sda", "8:0");
    host.device("nvme0n1", "259:0");
    host.device("bcache0", "251:0", {"nvme0n1", "sda"});
    CHECK(host.partial({251, 0}, "bcache0").empty());
    CHECK(host.partial({251, 0}, "sda").find("bcache") != std::string::npos);
}
