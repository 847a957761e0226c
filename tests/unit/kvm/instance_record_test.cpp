// SPDX-License-Identifier: Apache-2.0
#include "instance_record.hpp"
#include "support.hpp"

#include "catch.hpp"

#include <cstdio>

using namespace penstock::kvm;
using namespace std::chrono_literals;

namespace {

std::vector<Instance> list(const TemporaryDirectory& proc, const TemporaryDirectory& run) {
    bool complete = false;
    const auto directory = proc.open();
    auto found =
        find_instances(directory.get(), DomainFiles{run.path()}, Deadline{Deadline::Clock::now() + 10s}, complete);
    CHECK(complete);
    return found;
}

} // namespace

TEST_CASE("an instance says who runs it and how it can be reached") {
    TemporaryDirectory proc, run;
    fake_process(proc, 10, words("qemu-system-x86_64 -M pc -name a -qmp unix:/s,server=on"), 100);
    fake_process(proc, 11, words("qemu-system-x86_64 -M pc -name b"), 101);
    fake_process(proc, 12,
                 words("kvm -id 100 -name c -M pc -chardev socket,id=qmp,path=/var/run/qemu-server/100.qmp,server=on "
                       "-mon chardev=qmp,mode=control"),
                 102);
    fake_process(
        proc, 13,
        words("qemu-system-x86_64 -M pc -name d -chardev socket,id=m,fd=3,server=on -mon chardev=m,mode=control"), 103);
    run.write("libvirt/qemu/d.xml", "<domstatus state='paused' pid='13'>");
    const auto found = list(proc, run);
    REQUIRE(found.size() == 4);
    CHECK(found[0].capabilities == PENSTOCK_CAP_NATIVE_LIMIT);
    CHECK(found[0].state == PENSTOCK_STATE_RUNNING);
    CHECK(found[1].capabilities == 0);
    CHECK_FALSE(found[1].note.empty());
    CHECK(found[2].manager == "proxmox");
    CHECK(found[3].manager == "libvirt");
    CHECK(found[3].capabilities == PENSTOCK_CAP_MANAGED);
    CHECK(found[3].state == PENSTOCK_STATE_PAUSED);
}

TEST_CASE("of two with the same uuid, libvirt's keeps it") {
    TemporaryDirectory proc, run;
    fake_process(proc, 10, words("qemu-system-x86_64 -M pc -name fake -uuid U"), 1);
    fake_process(
        proc, 11,
        words("qemu-system-x86_64 -M pc -name real -uuid U -chardev socket,id=m,fd=3 -mon chardev=m,mode=control"),
        500);
    run.write("libvirt/qemu/real.xml", "<domstatus state='running' pid='11'>");
    const auto found = list(proc, run);
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == "u#10-1");
    CHECK(found[1].id == "u");
}

TEST_CASE("fifty machines among a thousand processes take milliseconds", "[.bench]") {
    TemporaryDirectory proc, run;
    for (int i = 1; i <= 950; ++i)
        fake_process(proc, i, words("/usr/lib/something/daemon --option " + std::to_string(i)), 1, "/usr/bin/daemon");
    const auto line = captured("libvirt.cmdline");
    for (int i = 1001; i <= 1050; ++i) fake_process(proc, i, line, 1);
    list(proc, run);
    const auto start = Deadline::Clock::now();
    CHECK(list(proc, run).size() == 50);
    const std::chrono::duration<double, std::milli> taken = Deadline::Clock::now() - start;
    std::printf("%.2f ms\n", taken.count());
}
