// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/limit_options.hpp"
#include "cli/outcome.hpp"
#include "cli/session.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace penstock {
namespace {

namespace po = boost::program_options;

void add_options(po::options_description& options) {
    add_limit_values(options);
    auto add = options.add_options();
    add("via", po::value<std::string>()->value_name("ENGINE"), "auto (default), cgroup or native");
    add("layer", po::value<std::string>()->value_name("DEVICE"),
        "limit this device of the backing chain, as 'penstock explain' shows it (cgroup)");
    add("adopt",
        "allow to move the instance's processes to a cgroup of its own where that takes them out of other limits");
    add("force", "allow a limit so low that a guest may give its disk up");
    add("dry-run", "print the exact writes, in order, and do nothing");
}

// Lowering many limits by much takes its time; whoever waits for it at a terminal is told.
void announce(const Plan& plan) {
    const auto seconds = std::chrono::duration<double>{waiting_time(plan)}.count();
    if (seconds > 1 && ::isatty(STDERR_FILENO) == 1)
        fmt::print(stderr, "penstock: lowering in {} steps, about {:.1f} s\n", plan.steps.size(), seconds);
}

Result<SetOptions> options_from(const Arguments& arguments) {
    SetOptions options{.adopt = arguments.has("adopt"),
                       .force = arguments.has("force"),
                       .dry_run = arguments.has("dry-run"),
                       .announce = announce};
    if (arguments.has("layer")) {
        options.layer = arguments.options["layer"].as<std::string>();
        options.via = Engine::cgroup; // the hypervisor's limiter knows no layers
    }
    if (!arguments.has("via")) return options;
    const auto& text = arguments.options["via"].as<std::string>();
    const auto engine = engine_from(text);
    if (!engine)
        return Error{ErrorCode::invalid, fmt::format("--via: unknown engine '{}'", printable(text))}.advise(
            "use auto, cgroup or native");
    if (!options.layer.empty() && *engine == Engine::native)
        return Error{ErrorCode::invalid, "--layer chooses a block device, and --via native limits none"}.advise(
            "leave one of them out");
    if (options.layer.empty()) options.via = *engine;
    return options;
}

bool is_weight_alone(const Limits& change) {
    Limits rest = change;
    rest.weight.reset();
    return change.weight && rest.empty();
}

// The named disk. A weight alone is also set on a whole instance: on each of its devices, once.
Result<std::vector<const DiskView*>> disks_of(Session& session, const Inventory::Found& found, const Limits& change) {
    std::vector<const DiskView*> disks;
    if (found.disk.empty() && is_weight_alone(change))
        for (const auto& disk : found.view.disks) {
            const auto on_same = [&](const DiskView* other) {
                return other->chain.device->number == disk.chain.device->number;
            };
            if (disk.chain.device && std::none_of(disks.begin(), disks.end(), on_same)) disks.push_back(&disk);
        }
    if (!disks.empty()) return disks;
    const auto disk = session.pick_disk(found);
    if (!disk) return disk.error();
    return std::vector{*disk};
}

Result<ExitCode> run(const Arguments& arguments) {
    const auto change = limits_from(arguments);
    if (!change) return change.error();
    const auto options = options_from(arguments);
    if (!options) return options.error();
    Session session{arguments};
    const auto found = session.find(arguments.operands[0]);
    if (!found) return found.error();
    const auto disks = disks_of(session, *found, *change);
    if (!disks) return disks.error();
    Limiter limiter{session.inventory(), session.journal()};
    std::vector<Outcome> outcomes;
    for (const auto* disk : *disks) {
        auto outcome = limiter.set(*found, *disk, *change, *options);
        if (!outcome) {
            if (!outcomes.empty())
                print_outcomes(session, found->view.instance, outcomes, arguments.json(), options->dry_run);
            return outcome.error();
        }
        outcomes.push_back(*std::move(outcome));
    }
    print_outcomes(session, found->view.instance, outcomes, arguments.json(), options->dry_run);
    const bool all = std::all_of(outcomes.begin(), outcomes.end(),
                                 [](const Outcome& o) { return o.verdict.kind == VerdictKind::enforced; });
    return all ? ExitCode::ok : ExitCode::not_in_force;
}

} // namespace

const Command set_command{"set",
                          "INSTANCE[:DISK]",
                          1,
                          1,
                          "Sets limits on a disk; fields that are not named stay as they are. Without fields, applies "
                          "the recorded limits again.",
                          "  penstock set db1:vda --write-bps 20M --read-iops 500\n"
                          "  penstock set db1:vda --write-bps 20M --dry-run\n"
                          "  penstock set db1:vda --total-bps 50M --total-bps-burst 100M/10 --via native\n"
                          "  penstock set lxc/web:rootfs --read-bps 10Mi\n"
                          "  penstock set db1 --weight 1000\n",
                          add_options,
                          run};

} // namespace penstock
