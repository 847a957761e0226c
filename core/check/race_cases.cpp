// SPDX-License-Identifier: Apache-2.0
// Calls from several threads, as the plugin's thread model allows them, and instances that come and go meanwhile.
#include "check/subject.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace penstock::check {
namespace {

constexpr int rounds = 25;

void enumerate_all(Object& object, std::uint64_t generation, std::atomic<int>& internal) {
    CallOptions options;
    options.generation = generation;
    const auto count = [&](const Answer& answer) {
        if (answer.code == PENSTOCK_E_INTERNAL || answer.code > 0) ++internal;
    };
    std::vector<OwnedKey> keys;
    count(object.instances(
        [&](const penstock_instance& record) {
            keys.push_back({std::string{view(record.key.kind)}, std::string{view(record.key.id)},
                            std::string{view(record.key.incarnation)}});
            return 0;
        },
        options));
    for (const auto& key : keys) {
        const auto contract = key.contract();
        count(object.disks(
            contract, [](const auto&) { return 0; }, options));
        count(object.actors(
            contract, [](const auto&) { return 0; }, options));
    }
}

void report(int internal, Verdict& verdict) {
    verdict.expect(internal == 0,
                   fmt::format("{} calls gave INTERNAL, or a value that no sink had returned", internal));
}

// Never two at a time, and never twice from one thread.
void other_threads(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    std::atomic<int> internal{0};
    for (std::uint64_t i = 0; i < rounds; ++i) std::jthread{[&, i] { enumerate_all(*object, i + 1, internal); }};
    report(internal, verdict);
}

void at_once(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    if (subject.descriptor(verdict)->thread_model != PENSTOCK_THREADS_PARALLEL)
        return verdict.skip("its thread model is not PARALLEL: it is never called by two threads at once");
    std::atomic<int> internal{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                for (std::uint64_t i = 0; i < rounds; ++i) enumerate_all(*object, i + 1, internal);
            });
    }
    report(internal, verdict);
}

// Processes start and end all the time; whatever reads /proc meets them half-way.
void churn(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    const auto parent = ::fork();
    if (parent == 0) {
        while (::getppid() != 1) {
            const auto child = ::fork();
            if (child == 0) ::_exit(0);
            if (child > 0) ::waitpid(child, nullptr, 0);
        }
        ::_exit(0);
    }
    std::atomic<int> internal{0};
    for (std::uint64_t i = 0; i < rounds; ++i) enumerate_all(*object, i + 1, internal);
    if (parent > 0) {
        ::kill(parent, SIGKILL);
        ::waitpid(parent, nullptr, 0);
    }
    report(internal, verdict);
}

constexpr std::array cases{
    Case{"races", "other-threads", "threads", "it may be called from any thread", other_threads},
    Case{"races", "at-once", "threads", "a PARALLEL plugin may be called by several threads at once", at_once},
    Case{"races", "churn", "gone", "processes that end meanwhile do no harm", churn}};

} // namespace

std::span<const Case> race_cases() { return cases; }

} // namespace penstock::check
