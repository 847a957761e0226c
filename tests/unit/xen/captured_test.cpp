// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "xenstored.hpp"

namespace {

using Lines = std::vector<std::string>;
const std::string cached =
    " [QEMU opens it through the page cache, so that a limit does not act on writes: attach it as a phy "
    "disk, or with backendtype=phy, which gives it a loop device]";

} // namespace

TEST_CASE("a paravirtual domain with every kind of disk that xl makes") {
    Dom0 dom0;
    dom0.load("pv.xenstore");
    dom0.load_processes("pv.ps");
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 1); // dom0 is none
    CHECK(instances[0].id == "4d0758b2-d61c-4443-afbd-b05bbd8336c7");
    CHECK(instances[0].name == "d1");
    CHECK(instances[0].incarnation == "1-1796080903.14");
    CHECK(instances[0].manager == "libxl");
    CHECK(host.disks(instances[0]) == Lines{
                                          "sda1 vbd block 253:0 raw direct read-only",
                                          "xvda vbd block 252:0 raw direct",
                                          "xvdb vbd block 7:5 raw direct",
                                          "xvdc qdisk file /var/img/qdisk.raw raw buffered" + cached,
                                          "xvdd vbd block 7:0 raw direct",
                                          "xvde vbd block 1:0 raw direct",
                                          "xvdf vbd block 7:1 raw direct",
                                      });
    // Each kernel thread with its disk; the QEMU with what it serves, and neither dom0's QEMU nor xl.
    auto actors = host.actors(instances[0]);
    std::sort(actors.begin(), actors.end());
    CHECK(actors == Lines{"blkback 626 1.sda1-0 sda1", "blkback 627 1.xvda-0 xvda", "blkback 628 1.xvdb-0 xvdb",
                          "blkback 629 1.xvdd-0 xvdd", "blkback 630 1.xvde-0 xvde", "blkback 631 1.xvdf-0 xvdf",
                          "emulator 609 xen-qemu-system xvdc"});
}

TEST_CASE("QEMU's own descriptor says whether a qdisk goes through the page cache") {
    Dom0 dom0;
    dom0.load("pv.xenstore");
    dom0.load_processes("pv.ps");
    dom0.tree.file("qdisk.raw", "");
    dom0.write("/local/domain/0/backend/qdisk/1/51744/params", "aio:" + dom0.tree.path("qdisk.raw"));
    dom0.opens(609, 3, dom0.tree.path("qdisk.raw"), O_DIRECT == 040000 ? "0140002" : "0300002");
    auto host = dom0.host();
    CHECK(host.disks(host.instances().at(0)).at(3) == "xvdc qdisk file " + dom0.tree.path("qdisk.raw") + " raw direct");
}

TEST_CASE("an HVM domain has both its QEMU, for all disks, and the kernel's threads") {
    Dom0 dom0;
    dom0.load("hvm.xenstore");
    dom0.kernel_thread(601, "2.hda-0");
    dom0.process(476, "xen-qemu-system", "/usr/libexec/xen-qemu-system-i386 -xen-domid 2 -name h1");
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 1);
    CHECK(instances[0].id == "f6d30d7e-f4b9-45ae-a8c2-c6122dae1dd8");
    CHECK(instances[0].incarnation == "2"); // the capture has no /vm
    CHECK(host.disks(instances[0]) ==
          Lines{"hda vbd block 1:1 raw direct", "hdb qdisk file /var/img/qdisk.raw raw buffered" + cached});
    CHECK(host.actors(instances[0]) == Lines{"blkback 601 2.hda-0 hda", "emulator 476 xen-qemu-system"});
}

TEST_CASE("a PVH domain has no QEMU") {
    Dom0 dom0;
    dom0.load("pvh.xenstore");
    dom0.kernel_thread(601, "1.xvda-0");
    dom0.kernel_thread(602, "1.xvda-1"); // a guest with two processors has two rings
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 1);
    CHECK(instances[0].name == "p1");
    CHECK(host.disks(instances[0]) == Lines{"xvda vbd block 1:0 raw direct"});
    auto actors = host.actors(instances[0]);
    std::sort(actors.begin(), actors.end());
    CHECK(actors == Lines{"blkback 601 1.xvda-0 xvda", "blkback 602 1.xvda-1 xvda"});
}

TEST_CASE("XCP-ng: the tapdisk that tapback names, and the image that it has open") {
    Dom0 dom0;
    dom0.load("xcp-ng.xenstore");
    dom0.tree.file("sr/2d66aa5f.vhd", "");
    dom0.tree.file("sr/parent.vhd", "");
    dom0.tree.file("sr/a.vhd", "");
    dom0.tree.file("sr/b.vhd", "");
    const std::string direct = O_DIRECT == 040000 ? "0140002" : "0300002";
    dom0.process(32742, "tapdisk");
    dom0.opens(32742, 9, dom0.tree.path("sr/2d66aa5f.vhd"), direct);
    dom0.opens(32742, 10, dom0.tree.path("sr/parent.vhd"), "0100000"); // what the image is based on is only read
    dom0.opens(32742, 11, "/dev/null", "0100002");
    dom0.process(32743, "tapdisk"); // serves two disks, one of them perhaps another domain's
    dom0.opens(32743, 9, dom0.tree.path("sr/a.vhd"), direct);
    dom0.opens(32743, 10, dom0.tree.path("sr/b.vhd"), direct);
    dom0.process(32700, "qemu-system-i38", "qemu-dm-5 -machine pc -xen-domid 5 -m 2048");
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 1);
    CHECK(instances[0].id == "6f25b64e-9887-7017-02cc-34e79bfae93d");
    CHECK(instances[0].name == "i-9-1452-VM");
    CHECK(instances[0].manager == "xapi");
    CHECK(host.disks(instances[0]) ==
          Lines{"hda vbd3 file " + dom0.tree.path("sr/2d66aa5f.vhd") + " direct",
                "hdb vbd3 unknown [its tapdisk has 2 images open, so that it is not known which one is this disk's]",
                "hdd vbd3 unknown read-only empty"});
    CHECK(host.actors(instances[0]) ==
          Lines{"tapdisk 32742 tapdisk hda", "tapdisk 32743 tapdisk hdb", "emulator 32700 qemu-system-i38"});
}

TEST_CASE("the probe tells a dom0 from its guests and from other hosts") {
    Dom0 dom0;
    dom0.load("pv.xenstore");
    dom0.tree.file("proc/xen/capabilities", "control_d\n");
    dom0.tree.file("sys/hypervisor/type", "xen\n");
    dom0.tree.file("sys/hypervisor/version/major", "4\n");
    dom0.tree.file("sys/hypervisor/version/minor", "17\n");
    dom0.tree.file("sys/hypervisor/version/extra", ".7\n");
    CHECK(dom0.host().probe() == Lines{"xen 1 4.17.7 this is dom0", "xenstore 1 1 domains beside dom0, at " +
                                                                        dom0.tree.path("run/xenstored/socket")});
    PluginHost without{dom0.tree.path("proc"), dom0.tree.path("sys"), "/does-not-exist"};
    CHECK(without.probe().at(1).starts_with("xenstore 3 this is a dom0, but xenstored cannot be reached"));
    dom0.tree.file("proc/xen/capabilities", "");
    PluginHost guest{dom0.tree.path("proc"), dom0.tree.path("sys"), "/does-not-exist"};
    CHECK(guest.probe() == Lines{"xen 2 4.17.7 this is a guest of Xen, not dom0",
                                 "xenstore 2 there is no /does-not-exist/xenstored/socket: not a Xen dom0"});
    CHECK(guest.instances().empty());
    CHECK(guest.outcome.code == 0);
}
