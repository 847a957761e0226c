// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

namespace json = boost::json;

std::string engine_text(const DiskStatus& status) {
    return std::string{name(status.point.engine == Engine::none ? status.choice.engine : status.point.engine)};
}

std::string verdict_text(const DiskStatus& status) {
    if (!status.verdict) return status.seen.empty() ? "-" : "set by others";
    const auto& verdict = *status.verdict;
    return std::string{word(verdict.kind)} + (verdict.reason.empty() ? "" : ", see status");
}

void print_table(const std::vector<Session::Entry>& entries) {
    Table table{{"INSTANCE", "STATE", "DISK", "DEVICE", "ENGINE", "LIMITS", "VERDICT"}};
    for (const auto& entry : entries) {
        const auto address = address_of(entry.view.instance);
        const std::string state{word(entry.view.instance.state)};
        if (entry.disks.empty())
            table.add({address, state, "-", "-", "-", "-", entry.view.troubles.empty() ? "-" : "disks not known"});
        for (const auto& status : entry.disks) {
            const auto& chain = entry.view.find(status.disk)->chain;
            table.add({address, state, printable(status.disk), chain.device ? chain.device->name : "-",
                       engine_text(status), status.seen.empty() ? "-" : describe(status.seen), verdict_text(status)});
        }
    }
    table.print();
}

void add_options(boost::program_options::options_description& options) {
    options.add_options()("names", "print nothing but addresses, one a line, for scripts and completion");
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    std::vector<Error> warnings;
    const auto entries = session.survey(Depth::recorded, warnings);
    if (arguments.json()) {
        json::array instances;
        for (const auto& entry : entries) instances.push_back(to_json(entry));
        json::array lines;
        for (const auto& warning : warnings) lines.push_back(to_json(warning));
        print_json(json::object{{"instances", std::move(instances)}, {"warnings", std::move(lines)}});
        return ExitCode::ok;
    }
    if (arguments.has("names")) {
        for (const auto& entry : entries)
            for (const auto& status : entry.disks) fmt::print("{}\n", address_of(entry.view.instance, status.disk));
        return ExitCode::ok;
    }
    print_table(entries);
    for (const auto& warning : warnings) warn(warning);
    for (const auto& entry : entries)
        for (const auto& trouble : entry.view.troubles) warn(trouble);
    return ExitCode::ok;
}

} // namespace

const Command list_command{
    "list",
    "",
    0,
    0,
    "Lists every instance and disk: state, device, engine, limits and verdict.",
    "  penstock list\n  penstock list --json | jq -r '.instances[].name'\n  penstock list --names\n",
    add_options,
    run};

} // namespace penstock
