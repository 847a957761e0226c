// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome.hpp"

#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/words.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

void print_one(const Instance& instance, const Outcome& outcome, const Hierarchy* hierarchy, bool dry_run) {
    const auto address = address_of(instance, outcome.disk);
    if (dry_run) {
        fmt::print("{}: via {}, {}; nothing has been done\n", address, name(outcome.plan.point.engine),
                   outcome.choice.why);
        if (outcome.plan.steps.empty()) fmt::print("  nothing to do: the limits are as wanted\n");
        for (std::size_t i = 0; i < outcome.plan.steps.size(); ++i)
            fmt::print("  {}. {}\n     {}\n", i + 1, describe(outcome.plan.steps[i], hierarchy),
                       outcome.plan.steps[i].why);
        if (const auto wait = waiting_time(outcome.plan); wait.count() > 0)
            fmt::print("  takes about {:.2f} s\n", std::chrono::duration<double>{wait}.count());
    } else {
        fmt::print("{}: {} via {}", address, describe(outcome.plan.after), name(outcome.plan.point.engine));
        if (outcome.plan.point.engine == Engine::cgroup) fmt::print(" on {}", outcome.plan.point.device_name);
        fmt::print("{}\n", outcome.plan.after.empty() ? "" : fmt::format(": {}", word(outcome.verdict.kind)));
    }
    if (!outcome.verdict.reason.empty()) warn(address + ": " + printable(outcome.verdict.reason));
    for (const auto& warning : outcome.warnings) warn(address + ": " + printable(warning));
}

} // namespace

void print_outcomes(Session& session, const Instance& instance, const std::vector<Outcome>& outcomes, bool json,
                    bool dry_run) {
    const auto& found = session.inventory().hierarchy();
    const auto* hierarchy = found ? &*found : nullptr;
    if (!json) {
        for (const auto& outcome : outcomes) print_one(instance, outcome, hierarchy, dry_run);
        return;
    }
    boost::json::array disks;
    for (const auto& outcome : outcomes) disks.push_back(to_json(outcome, hierarchy));
    print_json(boost::json::object{{"kind", instance.key.kind},
                                   {"id", printable(instance.key.id)},
                                   {"name", printable(instance.name)},
                                   {"done", !dry_run},
                                   {"disks", std::move(disks)}});
}

} // namespace penstock
