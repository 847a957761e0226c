// SPDX-License-Identifier: Apache-2.0
// What the plugin does when its time is up.
#include "check/subject.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

namespace penstock::check {
namespace {

constexpr double patience = 1.0; // seconds after which a call that should have ended has not

// Runs every enumeration with `options`; each must end within `longest` seconds.
void within(Object& object, const CallOptions& options, double longest, const char* when, Verdict& verdict) {
    const auto keys = object.keys();
    const auto check = [&](const char* what, const Answer& answer) {
        verdict.expect(answer.seconds <= longest, fmt::format("{} took {:.1f} s {}", what, answer.seconds, when));
        verdict.expect(answer.code != PENSTOCK_E_INTERNAL, fmt::format("{} {} gives {}", what, when, answer.text()));
    };
    check("enumerate_instances()", object.instances([](const auto&) { return 0; }, options));
    for (const auto& key : keys) {
        const auto contract = key.contract();
        check("enumerate_disks()", object.disks(
                                       contract, [](const auto&) { return 0; }, options));
        check("enumerate_actors()", object.actors(
                                        contract, [](const auto&) { return 0; }, options));
    }
}

void probe_is_quick(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    double best = 1e9; // of three: the first one may load libraries, and a machine may be busy
    for (int i = 0; i < 3; ++i) best = std::min(best, object->probe([](const auto&) { return 0; }).seconds);
    verdict.expect(best <= 0.1, fmt::format("probe() takes {:.0f} ms, and may take 100", best * 1000));
}

void passed(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    CallOptions options;
    options.deadline_ms = -1;
    options.generation = 2;
    within(*object, options, patience, "after its deadline had passed", verdict);
}

void cancelled(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return verdict.skip("no pipe can be made");
    [[maybe_unused]] const auto written = ::write(ends[1], "x", 1);
    CallOptions options;
    options.cancel_fd = ends[0];
    options.generation = 2;
    within(*object, options, 5.5, "although it was cancelled before it began", verdict);
    ::close(ends[0]);
    ::close(ends[1]);
}

constexpr std::array cases{Case{"deadlines", "probe", "probe", "probe() takes less than 100 ms", probe_is_quick},
                           Case{"deadlines", "passed", "deadlines", "a deadline that has passed ends the call", passed},
                           Case{"deadlines", "cancelled", "deadlines", "a call that is given up ends", cancelled}};

} // namespace

std::span<const Case> deadline_cases() { return cases; }

} // namespace penstock::check
