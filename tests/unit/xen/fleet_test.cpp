// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "xenstored.hpp"

#include <algorithm>
#include <cstdio>
#include <time.h>

namespace {

// Processor time so far, in milliseconds. pid 0: this process.
double milliseconds_of(pid_t pid) {
    clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
    timespec time{};
    REQUIRE((pid == 0 || ::clock_getcpuclockid(pid, &clock) == 0));
    REQUIRE(::clock_gettime(clock, &time) == 0);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void add_fleet(Dom0& dom0, int domains, int disks) {
    for (int domid = 1; domid <= domains; ++domid) {
        const auto id = std::to_string(domid);
        char uuid[37];
        std::snprintf(uuid, sizeof uuid, "4d0758b2-d61c-4443-afbd-%012d", domid);
        dom0.write("/local/domain/" + id + "/name", "vm" + id);
        dom0.write("/local/domain/" + id + "/vm", "/vm/" + std::string{uuid});
        dom0.write("/vm/" + std::string{uuid} + "/start_time", "1796080903.14");
        dom0.write("/libxl/" + id + "/type", "pvh");
        for (int disk = 0; disk < disks; ++disk) {
            const auto dev = std::string{"xvd"} + static_cast<char>('a' + disk);
            const auto node = "/local/domain/0/backend/vbd/" + id + "/" + std::to_string(51712 + 16 * disk);
            dom0.write(node + "/dev", dev);
            dom0.write(node + "/params", "/dev/vg0/vm" + id + "-" + dev);
            dom0.write(node + "/physical-device", "fc:" + std::to_string(disk));
            dom0.write(node + "/mode", "w");
            dom0.kernel_thread(1000 + disks * domid + disk, id + "." + dev + "-0");
        }
    }
}

} // namespace

// What that takes is printed, and checks nothing: it is to stay below 200 ms on a host that has nothing else to do.
TEST_CASE("500 domains of 4 disks are listed whole") {
    Dom0 dom0;
    add_fleet(dom0, 500, 4);
    auto host = dom0.host();
    constexpr int rounds = 5;
    const auto plugin_before = milliseconds_of(0), store_before = milliseconds_of(dom0.daemon());
    auto best = std::chrono::steady_clock::duration::max();
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        std::size_t disks = 0, actors = 0;
        for (const auto& instance : host.instances()) {
            disks += host.disks(instance).size();
            actors += host.actors(instance).size();
        }
        best = std::min(best, std::chrono::steady_clock::now() - start);
        INFO(host.outcome.message);
        REQUIRE(disks == 2000);
        REQUIRE(actors == 2000);
    }
    const auto plugin = (milliseconds_of(0) - plugin_before) / rounds;
    const auto store = (milliseconds_of(dom0.daemon()) - store_before) / rounds;
    std::printf("500 domains, 2000 disks, 2000 threads: best of %d %.0f ms; processor time: plugin %.0f ms, xenstored "
                "%.0f ms\n",
                rounds, std::chrono::duration<double, std::milli>(best).count(), plugin, store);
}
