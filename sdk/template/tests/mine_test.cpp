// SPDX-License-Identifier: Apache-2.0
// Runs the plugin's class against a folder of its own: the host's roots can be anything, so no hypervisor is needed.
#include "mine.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace penstock::sdk;

int failures = 0;

void check(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "FAILED: %s\n", what);
    ++failures;
}

std::uint64_t now(void*) { return 0; } // time stands still: no deadline passes
void ignore(void*, std::uint32_t, penstock_str) {}

struct Found {
    std::vector<std::string> names, incarnations, targets;
    std::vector<int> pids;
};

std::int32_t take_instance(void* found, const penstock_instance* record) {
    static_cast<Found*>(found)->names.emplace_back(view(record->name));
    static_cast<Found*>(found)->incarnations.emplace_back(view(record->key.incarnation));
    return 0;
}
std::int32_t take_disk(void* found, const penstock_disk* record) {
    static_cast<Found*>(found)->targets.emplace_back(view(record->target));
    return 0;
}
std::int32_t take_actor(void* found, const penstock_actor* record) {
    static_cast<Found*>(found)->pids.push_back(record->pid);
    return 0;
}

} // namespace

int main() {
    char run[] = "/tmp/mine-test-XXXXXX";
    if (::mkdtemp(run) == nullptr) return 1;
    std::filesystem::create_directory(std::string{run} + "/mine");
    std::ofstream{std::string{run} + "/mine/first.pid"} << ::getpid() << "\n/dev/null\n/\n";
    std::ofstream{std::string{run} + "/mine/ended.pid"} << "999999999\n/\n";
    std::ofstream{std::string{run} + "/mine/nonsense.pid"} << "not a number\n";

    penstock_host table{};
    table.struct_size = sizeof table;
    table.proc_root = str("/proc");
    table.run_root = str(run);
    table.log = ignore;
    table.monotonic_ns = now;
    const Host host{&table};
    penstock_call raw{};
    raw.deadline_ns = 1'000'000'000;
    const Call call{&raw, host};
    mine::Mine plugin{host};

    Found found;
    std::int32_t stopped = 0;
    check(plugin.enumerate_instances(call, {&found, take_instance, &stopped}).ok(), "instances are listed");
    check(found.names == std::vector<std::string>{"first"}, "what has ended, or is nonsense, is no instance");

    const auto incarnation = found.incarnations.empty() ? std::string{} : found.incarnations.front();
    penstock_key key{str("mine"), str("first"), str(incarnation)};
    check(plugin.enumerate_disks(call, Key{key}, {&found, take_disk, &stopped}).ok(), "disks are listed");
    check(found.targets == std::vector<std::string>{"disk0", "disk1"}, "each path is a disk");
    check(plugin.enumerate_actors(call, Key{key}, {&found, take_actor, &stopped}).ok(), "actors are listed");
    check(found.pids == std::vector<int>{::getpid()}, "the process that does the I/O is the file's");

    key.incarnation = str("1-1");
    check(plugin.enumerate_disks(call, Key{key}, {&found, take_disk, &stopped}).code() == PENSTOCK_E_GONE,
          "another incarnation has gone");
    key = {str("mine"), str("../first"), str(incarnation)};
    check(plugin.enumerate_disks(call, Key{key}, {&found, take_disk, &stopped}).code() == PENSTOCK_E_GONE,
          "an id is no path");

    std::filesystem::remove_all(run);
    if (failures == 0) std::puts("all passed");
    return failures == 0 ? 0 : 1;
}
