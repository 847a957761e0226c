// SPDX-License-Identifier: Apache-2.0
#include "observe/doctor.hpp"

#include "base/text.hpp"
#include "cli/doctor_fix.hpp"
#include "cli/json_view.hpp"
#include "cli/session.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

namespace json = boost::json;

void add_options(boost::program_options::options_description& options) {
    auto add = options.add_options();
    add("fix", "make the devices named share out by weight; without names, those that carry a weight of penstock's");
    add("undo", "put back what --fix has changed, on the devices named or on all");
    add("iocost", "with --fix: let iocost share out (cgroup v2), not BFQ; the device is read for some seconds to learn "
                  "what it does");
    add("model", boost::program_options::value<std::string>()->value_name("NUMBERS"),
        "with --iocost: what the device does, instead of measuring it: "
        "\"rbps=N rseqiops=N rrandiops=N wbps=N wseqiops=N wrandiops=N\"");
    add("dry-run", "with --fix or --undo: print the exact writes, in order, and do nothing");
}

Result<ExitCode> run(const Arguments& arguments) {
    if (arguments.has("fix") && arguments.has("undo"))
        return Error{ErrorCode::invalid, "--fix and --undo contradict each other"}.advise("give one of them");
    if (arguments.has("iocost") && !arguments.has("fix"))
        return Error{ErrorCode::invalid, "--iocost goes with --fix"}.advise("see 'penstock doctor --help'");
    if (arguments.has("model") && !arguments.has("iocost"))
        return Error{ErrorCode::invalid, "--model goes with --fix --iocost"}.advise("see 'penstock doctor --help'");
    if (arguments.has("fix")) return run_fix(arguments);
    if (arguments.has("undo")) return run_undo(arguments);
    if (!arguments.operands.empty() || arguments.has("dry-run"))
        return Error{ErrorCode::invalid, "devices and --dry-run go with --fix or --undo"}.advise(
            "see 'penstock doctor --help'");
    Session session{arguments};
    const auto findings = examine(session.inventory(), session.journal());
    if (arguments.json()) {
        json::array out;
        for (const auto& f : findings)
            out.push_back(json::object{{"severity", name(f.severity)},
                                       {"check", f.check},
                                       {"subject", f.subject},
                                       {"evidence", printable(f.evidence)},
                                       {"effect", f.effect},
                                       {"remedy", printable(f.remedy)}});
        print_json(json::object{{"findings", std::move(out)}});
    } else {
        for (const auto& f : findings) {
            fmt::print("{}: {}: {}\n  effect: {}\n", name(f.severity), f.subject, printable(f.evidence), f.effect);
            if (!f.remedy.empty()) fmt::print("  remedy: {}\n", printable(f.remedy));
        }
        if (findings.empty()) fmt::print("nothing was found that keeps limits from working\n");
    }
    const bool errors =
        std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::error; });
    return errors ? ExitCode::not_in_force : ExitCode::ok;
}

} // namespace

const Command doctor_command{"doctor",
                             "[DEVICE...]",
                             0,
                             64,
                             "Finds what on this host will keep limits from working, and what to do about it.",
                             "  penstock doctor\n  penstock doctor --fix sda --dry-run\n  penstock doctor --fix "
                             "--iocost nvme0n1\n  penstock doctor --undo\n  "
                             "penstock doctor --json | jq '.findings[] | select(.severity == \"error\")'\n",
                             add_options,
                             run};

} // namespace penstock
