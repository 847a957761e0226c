// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/limit_options.hpp"
#include "cli/outcome.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

namespace po = boost::program_options;

void add_options(po::options_description& options) {
    add_limit_values(options);
    auto add = options.add_options();
    add("via", po::value<std::string>()->value_name("ENGINE"), "auto (default), cgroup or native");
    add("adopt",
        "allow to move the instance's processes to a cgroup of its own where that takes them out of other limits");
    add("force", "allow a limit so low that a guest may give its disk up");
    add("dry-run", "print the exact writes, in order, and do nothing");
}

Result<SetOptions> options_from(const Arguments& arguments) {
    SetOptions options{
        .adopt = arguments.has("adopt"), .force = arguments.has("force"), .dry_run = arguments.has("dry-run")};
    if (!arguments.has("via")) return options;
    const auto& text = arguments.options["via"].as<std::string>();
    const auto engine = engine_from(text);
    if (!engine)
        return Error{ErrorCode::invalid, fmt::format("--via: unknown engine '{}'", printable(text))}.advise(
            "use auto, cgroup or native");
    options.via = *engine;
    return options;
}

Result<ExitCode> run(const Arguments& arguments) {
    const auto change = limits_from(arguments);
    if (!change) return change.error();
    const auto options = options_from(arguments);
    if (!options) return options.error();
    Session session{arguments};
    const auto found = session.find(arguments.operands[0]);
    if (!found) return found.error();
    const auto disk = session.pick_disk(*found);
    if (!disk) return disk.error();
    Limiter limiter{session.inventory(), session.journal()};
    const auto outcome = limiter.set(*found, **disk, *change, *options);
    if (!outcome) return outcome.error();
    print_outcomes(session, found->view.instance, {*outcome}, arguments.json(), options->dry_run);
    return outcome->verdict.kind == VerdictKind::enforced ? ExitCode::ok : ExitCode::not_in_force;
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
                          "  penstock set lxc/web:rootfs --read-bps 10Mi\n",
                          add_options,
                          run};

} // namespace penstock
