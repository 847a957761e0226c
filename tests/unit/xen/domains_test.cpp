// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "xenstored.hpp"

namespace {

using Lines = std::vector<std::string>;
const std::string uuid = "4d0758b2-d61c-4443-afbd-b05bbd8336c7";

void add_domain(Dom0& dom0, int domid, const std::string& name, const std::string& id, const std::string& start) {
    const auto at = "/local/domain/" + std::to_string(domid);
    dom0.write(at + "/name", name);
    dom0.write(at + "/vm", "/vm/" + id);
    dom0.write("/vm/" + id + "/start_time", start);
}

void add_vbd(Dom0& dom0, int domid, int vdev, const std::string& dev, const std::string& device, int backend = 0,
             const std::string& kind = "vbd") {
    const auto at = "/local/domain/" + std::to_string(backend) + "/backend/" + kind + "/" + std::to_string(domid) +
                    "/" + std::to_string(vdev);
    dom0.write(at + "/dev", dev);
    dom0.write(at + "/params", "/dev/vg0/" + dev);
    dom0.write(at + "/mode", "w");
    dom0.write(at + "/physical-device", device);
}

} // namespace

TEST_CASE("a reboot gives a domain another domid and another incarnation, and the same id") {
    Dom0 dom0;
    add_domain(dom0, 3, "web", uuid, "100.5");
    add_vbd(dom0, 3, 51712, "xvda", "fc:0");
    dom0.kernel_thread(700, "3.xvda-0");
    auto host = dom0.host();
    const auto before = host.instances().at(0);
    CHECK(before.incarnation == "3-100.5");
    CHECK(host.actors(before) == Lines{"blkback 700 3.xvda-0 xvda"});

    dom0.remove("/local/domain/3");
    dom0.remove("/local/domain/0/backend/vbd/3");
    add_domain(dom0, 4, "web", uuid, "200.5");
    add_vbd(dom0, 4, 51712, "xvda", "fc:0");
    dom0.tree.file("proc/700/stat", "");
    dom0.kernel_thread(701, "4.xvda-0");
    const auto after = host.instances().at(0);
    CHECK(after.id == before.id);
    CHECK(after.incarnation == "4-200.5");
    CHECK(host.actors(after) == Lines{"blkback 701 4.xvda-0 xvda"});
    CHECK(host.disks(before).empty());
    CHECK(host.outcome.code == PENSTOCK_E_GONE);
}

TEST_CASE("a domid that is given out again is another incarnation") {
    Dom0 dom0;
    add_domain(dom0, 3, "web", uuid, "100.5");
    auto host = dom0.host();
    const auto before = host.instances().at(0);
    dom0.write("/vm/" + uuid + "/start_time", "300.5");
    CHECK(host.instances().at(0).incarnation != before.incarnation);
    CHECK(host.actors(before).empty());
    CHECK(host.outcome.code == PENSTOCK_E_GONE);
}

TEST_CASE("a disk that is attached anew has a new thread in the next round") {
    Dom0 dom0;
    add_domain(dom0, 3, "web", uuid, "100.5");
    add_vbd(dom0, 3, 51712, "xvda", "fc:0");
    dom0.kernel_thread(700, "3.xvda-0");
    auto host = dom0.host();
    CHECK(host.actors(host.instances().at(0)) == Lines{"blkback 700 3.xvda-0 xvda"});
    dom0.tree.file("proc/700/stat", "");
    const auto detached = host.instances().at(0);
    CHECK(host.actors(detached).empty());
    CHECK(host.disks(detached) == Lines{"xvda vbd block 252:0 raw direct [no thread of blkback serves it "
                                        "now: its guest has not connected it]"});
    dom0.kernel_thread(710, "3.xvda-0");
    CHECK(host.actors(host.instances().at(0)) == Lines{"blkback 710 3.xvda-0 xvda"});
}

TEST_CASE("a backend in a driver domain: no process of this host, and its name said") {
    Dom0 dom0;
    add_domain(dom0, 2, "storage", "00000000-0000-0000-0000-000000000002", "1.0");
    add_domain(dom0, 3, "web", uuid, "2.0");
    add_vbd(dom0, 3, 51712, "xvda", "fc:0", 2);
    add_vbd(dom0, 3, 51728, "xvda", "fc:1"); // dom0's keeps its name, whatever a driver domain calls its own
    dom0.kernel_thread(700, "3.xvda-0");
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 2);
    CHECK(host.disks(instances[1]) ==
          Lines{"xvda vbd block 252:1 raw direct",
                "xvda-2 vbd other backend in 'storage', domain 2 unknown [its backend is 'storage', domain 2, a driver "
                "domain: no process of this host submits its I/O, set the limit there]"});
    CHECK(host.actors(instances[1]) == Lines{"blkback 700 3.xvda-0 xvda"});
    CHECK(host.disks(instances[0]).empty());
}

TEST_CASE("kernels with the old names") {
    Dom0 dom0;
    add_domain(dom0, 123, "old", uuid, "1.0");
    add_vbd(dom0, 123, 51712, "xvda", "fc:0");
    add_vbd(dom0, 123, 51728, "xvdb", "fc:1");
    add_vbd(dom0, 123, 768, "hda", "fc:2");
    dom0.kernel_thread(700, "blkback.123.xvd");
    dom0.kernel_thread(701, "blkback.123.hda");
    auto host = dom0.host();
    auto actors = host.actors(host.instances().at(0));
    std::sort(actors.begin(), actors.end());
    CHECK(actors == Lines{"blkback 700 blkback.123.xvd xvda xvdb", "blkback 701 blkback.123.hda hda"});
}

TEST_CASE("a disk whose device has not been attached yet") {
    Dom0 dom0;
    add_domain(dom0, 3, "web", uuid, "1.0");
    add_vbd(dom0, 3, 51712, "/dev/xvda", "");
    auto host = dom0.host();
    CHECK(
        host.disks(host.instances().at(0)) ==
        Lines{
            "xvda vbd unknown [no thread of blkback serves it now: its guest has not connected it; no block device has "
            "been attached to it: see 'xl block-list' and /var/log/xen]"});
}

TEST_CASE("two domains with one uuid are two instances") {
    Dom0 dom0;
    add_domain(dom0, 3, "web", uuid, "1.0");
    add_domain(dom0, 4, "web--incoming", uuid, "1.0");
    add_vbd(dom0, 4, 51712, "xvda", "fc:0");
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 2);
    CHECK(instances[0].id == uuid);
    CHECK(instances[1].id == uuid + "#4");
    CHECK(instances[1].note == "another domain has the same id " + uuid);
    CHECK(host.disks(instances[0]).empty());
    CHECK(host.disks(instances[1]).size() == 1);
}

TEST_CASE("more domains than one message can name") {
    Dom0 dom0;
    for (int domid = 1; domid <= 1500; ++domid) dom0.write("/local/domain/" + std::to_string(domid) + "/name", "n");
    auto host = dom0.host();
    CHECK(host.instances().size() == 1500); // /local/domain has 6392 bytes of names
    CHECK(host.outcome.code == 0);
}
