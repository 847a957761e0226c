// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "xenstored.hpp"

using namespace std::string_literals;
using Lines = std::vector<std::string>;

namespace {

const std::string uuid = "4d0758b2-d61c-4443-afbd-b05bbd8336c7";
const std::string node = "/local/domain/0/backend/vbd/3/51712";

} // namespace

TEST_CASE("a domain's name is reported as it is, and is no path") {
    Dom0 dom0;
    const auto name = "../../x\0\x1b[2J\n"s + std::string(3000, 'A');
    dom0.write("/local/domain/3/name", name);
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    auto host = dom0.host();
    const auto instances = host.instances();
    REQUIRE(instances.size() == 1);
    CHECK(instances[0].id == uuid);
    CHECK(instances[0].name == name);
}

TEST_CASE("what is no uuid does not become an id or a path") {
    for (const auto& vm : {"/vm/../../local/domain/0"s, "/vm/"s, ""s, "/vm/" + uuid + "/../x", "/vm/" + uuid + "\0"s,
                           "/vm/4D0758B2-d61c-4443-afbd-b05bbd8336cg"s, std::string(4000, '/')}) {
        Dom0 dom0;
        dom0.write("/local/domain/3/name", "web");
        dom0.write("/local/domain/3/vm", vm);
        auto host = dom0.host();
        INFO(vm);
        CHECK(host.instances().at(0).id == "name:web");
        CHECK(host.outcome.code == 0);
    }
}

TEST_CASE("domids that are none") {
    Dom0 dom0;
    for (const auto* domid : {"x", "-1", "01x", "4294967299", "32752", "0x3"})
        dom0.write("/local/domain/"s + domid + "/name", "n");
    auto host = dom0.host();
    CHECK(host.instances().empty());
    CHECK(host.outcome.code == 0);
}

TEST_CASE("start times that are none") {
    for (const auto& start : {"1;rm -rf /"s, std::string(100, '1'), "\n"s, "1 2"s}) {
        Dom0 dom0;
        dom0.write("/local/domain/3/name", "web");
        dom0.write("/local/domain/3/vm", "/vm/" + uuid);
        dom0.write("/vm/" + uuid + "/start_time", start);
        auto host = dom0.host();
        CHECK(host.instances().at(0).incarnation == "3");
    }
}

TEST_CASE("keys of a disk that make no sense") {
    Dom0 dom0;
    dom0.write("/local/domain/3/name", "web");
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    dom0.write(node + "/dev", std::string(4000, 'x'));
    dom0.write(node + "/params", "\0\xff"s);
    dom0.write(node + "/physical-device", "-1:99999999999999999999");
    dom0.write("/local/domain/0/backend/vbd/3/not-a-number/dev", "xvdz");
    dom0.write("/local/domain/0/backend/vbd/3/51728", ""); // no key at all
    dom0.write("/local/domain/3/image/device-model-pid", "../../1");
    auto host = dom0.host();
    const auto instance = host.instances().at(0);
    const auto disks = host.disks(instance);
    REQUIRE(disks.size() == 2);
    CHECK(disks[0].starts_with("vbd-51712 vbd unknown [no thread"));
    CHECK(disks[1] == "vbd-51728 vbd unknown empty");
    CHECK(host.actors(instance).empty());
}

TEST_CASE("the guest's own word on its disks is not listened to") {
    Dom0 dom0;
    dom0.write("/local/domain/3/name", "web");
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    dom0.write("/local/domain/3/device/vbd/51712/backend", "/local/domain/0/backend/vbd/1/51712");
    dom0.write("/local/domain/0/backend/vbd/1/51712/dev", "xvda");
    auto host = dom0.host();
    CHECK(host.disks(host.instances().at(0)).empty());
}

TEST_CASE("a process that calls itself as a thread of blkback is not moved") {
    Dom0 dom0;
    dom0.write("/local/domain/3/name", "web");
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    dom0.write(node + "/dev", "xvda");
    dom0.process(800, "3.xvda-0");
    dom0.process(801, "3.xvda-0", "x", 2);    // a program that the kernel has started
    dom0.kernel_thread(802, "3.xvda-0", 800); // no kernel thread has another parent
    dom0.kernel_thread(803, "3.xvda-0");
    auto host = dom0.host();
    CHECK(host.actors(host.instances().at(0)) == Lines{"blkback 803 3.xvda-0 xvda"});
}

TEST_CASE("a pid that is no QEMU of this domain, and no tapdisk, is not moved") {
    Dom0 dom0;
    dom0.write("/local/domain/3/name", "web");
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    dom0.write("/local/domain/0/backend/vbd3/3/768/kthread-pid", "900");
    dom0.write("/local/domain/0/backend/vbd3/3/768/params", "/dev/sm/x");
    dom0.process(900, "sshd");
    dom0.process(901, "xen-qemu-system", "xen-qemu-system-i386 -xen-domid 4");
    dom0.process(902, "x", "sh -c -xen-domid");
    dom0.process(1, "systemd", "systemd -xen-domid 3", 0);
    auto host = dom0.host();
    for (const auto* pid : {"900", "901", "902", "1", "0", "-1", "999", ""}) {
        dom0.write("/local/domain/3/image/device-model-pid", pid);
        INFO(pid);
        CHECK(host.actors(host.instances().at(0)).empty());
    }
}

TEST_CASE("a domain with thousands of disks is cut off, and that is said") {
    Dom0 dom0;
    dom0.write("/local/domain/3/name", "web");
    dom0.write("/local/domain/3/vm", "/vm/" + uuid);
    for (int i = 0; i < 1100; ++i) dom0.write("/local/domain/0/backend/vbd/3/" + std::to_string(i) + "/dev", "xvda");
    auto host = dom0.host();
    const auto disks = host.disks(host.instances().at(0));
    CHECK(disks.size() == 1024);
    CHECK(host.outcome.code == PENSTOCK_E_PARTIAL);
    CHECK(disks.back().starts_with("xvda-1024 "));
}

TEST_CASE("a xenstored that is stopped costs the call's time and no more") {
    Dom0 dom0;
    dom0.load("pv.xenstore");
    auto host = dom0.host();
    ::kill(dom0.daemon(), SIGSTOP);
    const auto start = std::chrono::steady_clock::now();
    CHECK(host.instances(std::chrono::milliseconds{200}).empty());
    CHECK(host.outcome.code == PENSTOCK_E_TIMEOUT);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds{600});
    ::kill(dom0.daemon(), SIGCONT);
    CHECK(host.instances().size() == 1);
}

TEST_CASE("a xenstored that has died is said to be") {
    Dom0 dom0;
    dom0.load("pv.xenstore");
    auto host = dom0.host();
    CHECK(host.instances().size() == 1);
    dom0.kill_daemon();
    CHECK(host.instances().empty());
    CHECK(host.outcome.code == PENSTOCK_E_NOT_PRESENT);
    CHECK(host.outcome.message.find("start xenstored") != std::string::npos);
}
