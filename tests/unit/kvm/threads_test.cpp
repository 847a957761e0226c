// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"
#include "threads.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

TEST_CASE("a thread's role is in its name") {
    CHECK(role_of("IO io0", 7) == PENSTOCK_ROLE_IOTHREAD);
    CHECK(role_of("IO mon_iothread", 7) == PENSTOCK_ROLE_UNKNOWN);
    CHECK(role_of("CPU 0/TCG", 7) == PENSTOCK_ROLE_VCPU);
    CHECK(role_of("CPU 12/KVM", 7) == PENSTOCK_ROLE_VCPU);
    CHECK(role_of("CPU ", 7) == PENSTOCK_ROLE_UNKNOWN);
    CHECK(role_of("vhost-7", 7) == PENSTOCK_ROLE_VHOST);
    CHECK(role_of("vhost-71", 7) == PENSTOCK_ROLE_UNKNOWN);
    CHECK(role_of("worker", 7) == PENSTOCK_ROLE_UNKNOWN);
}

TEST_CASE("a name that was cut can stand for several iothreads") {
    CHECK(iothreads_named({"io0", "io1"}, "IO io1") == std::vector<std::string>{"io1"});
    CHECK(iothreads_named({"iothread-drive-a", "iothread-drive-b"}, "IO iothread-dri").size() == 2);
    CHECK(iothreads_named({"io0"}, "IO other").empty());
}

TEST_CASE("the threads of a faked process") {
    TemporaryDirectory proc;
    for (const auto& [tid, comm] : std::vector<std::pair<int, const char*>>{
             {7, "qemu"}, {8, "call_rcu"}, {9, "IO io0"}, {10, "CPU 0/KVM"}, {11, "vhost-7"}})
        proc.write("7/task/" + std::to_string(tid) + "/stat", stat_line(tid, comm, 100));
    Guest guest;
    guest.process.pid = 7;
    guest.command.iothreads = {"io0"};
    const auto directory = proc.open();
    const auto threads = find_threads(directory.get(), guest);
    REQUIRE(threads.size() == 3);
    CHECK(threads[0].iothread == "io0");
    CHECK(threads[1].role == PENSTOCK_ROLE_VCPU);
    CHECK(threads[2].role == PENSTOCK_ROLE_VHOST);
    guest.process.pid = 4711;
    CHECK(find_threads(directory.get(), guest).empty());
}
