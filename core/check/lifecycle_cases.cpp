// SPDX-License-Identifier: Apache-2.0
// What making and ending plugin objects does, and leaves.
#include "check/subject.hpp"
#include "sys/file.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>

namespace penstock::check {
namespace {

std::size_t count_in(const char* folder) { return entry_names(folder).size(); }

void use(Object& object) {
    for (const auto& key : object.keys()) {
        const auto contract = key.contract();
        (void)object.disks(contract, [](const auto&) { return 0; });
        (void)object.actors(contract, [](const auto&) { return 0; });
    }
}

void creates(Subject& subject, Verdict& verdict) {
    const auto* entry = subject.entry(verdict);
    if (entry == nullptr) return;
    TestHost host;
    const Object object{*entry, host};
    const auto& answer = object.created();
    if (answer.code == PENSTOCK_E_NOT_PRESENT) return verdict.skip("the plugin says that its hypervisor is not here");
    verdict.expect(static_cast<bool>(object),
                   "create() gives " + answer.text() + (answer.code == 0 ? ", and no object" : ""));
}

void leaves_nothing(Subject& subject, Verdict& verdict) {
    TestHost host;
    if (auto first = subject.object(verdict, host); first) // what a library opens once, it may keep
        use(*first);
    else
        return;
    const auto files = count_in("/proc/self/fd");
    for (int i = 0; i < 20; ++i)
        if (auto object = subject.object(verdict, host); object) use(*object);
    const auto files_after = count_in("/proc/self/fd");
    verdict.expect(files_after <= files,
                   fmt::format("{} file descriptors are open after 20 objects were made, used and destroyed; {} before",
                               files_after, files));
    auto threads = count_in("/proc/self/task");
    for (int wait = 0; wait < 20 && threads > 1; ++wait, threads = count_in("/proc/self/task"))
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    verdict.expect(threads == 1,
                   fmt::format("{} threads of the plugin run on after its objects were destroyed", threads - 1));
}

void side_by_side(Subject& subject, Verdict& verdict) {
    TestHost first_host, second_host;
    auto first = subject.object(verdict, first_host);
    if (!first) return;
    {
        const auto second = subject.object(verdict, second_host);
        if (!second) return;
        (void)second->keys();
    }
    const auto answer = first->instances([](const auto&) { return 0; });
    verdict.expect(answer.code == 0 || answer.code == PENSTOCK_E_NOT_PRESENT || answer.code == PENSTOCK_E_PARTIAL,
                   "after another object of it was destroyed, enumerate_instances() gives " + answer.text());
}

void bad_index(Subject& subject, Verdict& verdict) {
    const auto* entry = subject.entry(verdict);
    if (entry == nullptr) return;
    TestHost host;
    void* self = nullptr;
    penstock_error error{};
    error.struct_size = sizeof error;
    const auto code = entry->create(7, &host.contract, &self, &error);
    verdict.expect(code < 0, fmt::format("create(7, ...) gives {}, and there is one plugin", code));
}

// A host of a later minor version hands over a longer table.
void grown_host(Subject& subject, Verdict& verdict) {
    struct {
        penstock_host contract;
        void* more[8];
    } grown{};
    TestHost host;
    const auto* entry = subject.entry(verdict);
    if (entry == nullptr) return;
    grown.contract = host.contract;
    grown.contract.struct_size = sizeof grown;
    grown.contract.abi_minor = 99;
    void* self = nullptr;
    penstock_error error{};
    error.struct_size = sizeof error;
    const auto code = entry->create(0, &grown.contract, &self, &error);
    void* plain = nullptr;
    const auto usual = entry->create(0, &host.contract, &plain, &error);
    verdict.expect(
        code == usual,
        fmt::format("create() gives {} for a host of a later minor version, and {} for this one", code, usual));
    if (usual == 0) entry->destroy(plain);
    if (code == 0) entry->destroy(self);
}

constexpr std::array cases{
    Case{"lifecycle", "creates", "creates", "an object can be made", creates},
    Case{"lifecycle", "leaves-nothing", "leaves-nothing", "objects leave no descriptors and threads behind",
         leaves_nothing},
    Case{"lifecycle", "side-by-side", "side-by-side", "objects do not depend on each other", side_by_side},
    Case{"lifecycle", "bad-index", "entry", "create() refuses an index that is not there", bad_index},
    Case{"lifecycle", "grown-host", "growth", "a host that has more is no problem", grown_host}};

} // namespace

std::span<const Case> lifecycle_cases() { return cases; }

} // namespace penstock::check
