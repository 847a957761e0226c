// SPDX-License-Identifier: Apache-2.0
#include "observe/record_checks.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

TEST_CASE("records of ended instances and of devices that have gone are found") {
    FakeTree tree;
    Roots roots;
    roots.sys = tree.path("sys");
    tree.file("sys/devices/sda/dev", "8:0\n");
    tree.file("sys/devices/sda/diskseq", "7\n");
    tree.link("sys/dev/block/8:0", "../../devices/sda");

    InstanceRecord record{.key = {"kvm", "id", "1"}, .name = "db1"};
    DiskRecord disk;
    disk.disk = "vda";
    disk.point = {.engine = Engine::cgroup, .device = {8, 0}, .device_name = "sda"};
    disk.device_identity = "diskseq 7";
    record.disks = {disk};
    InstanceView running;
    running.instance.key = record.key;

    const auto checks = [&](bool runs) {
        Findings findings;
        const std::vector<InstanceView> views(runs ? 1 : 0, running);
        check_records(roots, std::vector{record}, views, findings);
        return findings;
    };
    CHECK(checks(true).empty());
    REQUIRE(checks(false).size() == 1);
    CHECK(checks(false)[0].check == "record.stale");
    tree.file("sys/devices/sda/diskseq", "8\n");
    REQUIRE(checks(true).size() == 1);
    CHECK(checks(true)[0].check == "record.device_gone");
    CHECK(checks(true)[0].subject == "kvm/db1:vda");
}
