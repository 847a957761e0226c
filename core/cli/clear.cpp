// SPDX-License-Identifier: Apache-2.0
#include "cli/limit_options.hpp"
#include "cli/outcome.hpp"
#include "cli/session.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

namespace po = boost::program_options;

void add_options(po::options_description& options) {
    add_limit_flags(options);
    options.add_options()("dry-run", "print the exact writes, in order, and do nothing");
}

// The named disk; without one, every disk that has a limit of ours.
Result<std::vector<const DiskView*>> disks_of(Session& session, const Inventory::Found& found) {
    std::vector<const DiskView*> disks;
    if (found.disk.empty()) {
        const auto record = session.journal().load(found.view.instance.key);
        if (!record) return record.error();
        if (*record)
            for (const auto& known : (*record)->disks)
                if (const auto* disk = found.view.find(known.disk)) disks.push_back(disk);
        if (!disks.empty()) return disks;
    }
    const auto disk = session.pick_disk(found);
    if (!disk) return disk.error();
    return std::vector{*disk};
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    const auto found = session.find(arguments.operands[0]);
    if (!found) return found.error();
    const auto disks = disks_of(session, *found);
    if (!disks) return disks.error();
    Limiter limiter{session.inventory(), session.journal()};
    std::vector<Outcome> outcomes;
    for (const auto* disk : *disks) {
        auto outcome = limiter.clear(*found, *disk, fields_from(arguments), arguments.has("dry-run"));
        if (!outcome) return outcome.error();
        outcomes.push_back(*std::move(outcome));
    }
    print_outcomes(session, found->view.instance, outcomes, arguments.json(), arguments.has("dry-run"));
    return ExitCode::ok;
}

} // namespace

const Command clear_command{
    "clear",
    "INSTANCE[:DISK]",
    1,
    1,
    "Removes limits: all of a disk, or the fields named. What others had set before comes back.",
    "  penstock clear db1:vda\n  penstock clear db1:vda --write-bps\n  penstock clear db1\n",
    add_options,
    run};

} // namespace penstock
