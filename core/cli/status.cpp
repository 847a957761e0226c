// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "model/limits_json.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

namespace json = boost::json;

struct Line {
    const Instance* instance;
    const DiskStatus* status;
};

// Limits of ours whose instance is not running: they are applied again by `set` when it is.
std::vector<InstanceRecord> not_running(const Journal& journal, const std::vector<Session::Entry>& entries,
                                        std::vector<Error>& warnings) {
    std::vector<std::string> problems;
    auto records = journal.load_all(&problems);
    for (const auto& problem : problems) warnings.emplace_back(ErrorCode::malformed, problem);
    std::erase_if(records, [&](const InstanceRecord& r) {
        return std::any_of(entries.begin(), entries.end(), [&](const Session::Entry& e) {
            return e.view.instance.key.kind == r.key.kind && e.view.instance.key.id == r.key.id;
        });
    });
    return records;
}

json::object line_json(const Line& line) {
    return {{"kind", line.instance->key.kind},           {"id", printable(line.instance->key.id)},
            {"name", printable(line.instance->name)},    {"disk", printable(line.status->disk)},
            {"engine", name(line.status->point.engine)}, {"wanted", to_json(*line.status->wanted)},
            {"limits", to_json(line.status->seen)},      {"verdict", to_json(*line.status->verdict)}};
}

void print_lines(const std::vector<Line>& lines) {
    if (lines.empty()) {
        fmt::print("no limits are set by penstock\n");
        return;
    }
    Table table{{"DISK", "ENGINE", "LIMITS", "VERDICT"}};
    for (const auto& line : lines)
        table.add({address_of(*line.instance, line.status->disk), std::string{name(line.status->point.engine)},
                   describe(*line.status->wanted), std::string{word(line.status->verdict->kind)}});
    table.print();
    for (const auto& line : lines) {
        const auto& verdict = *line.status->verdict;
        if (verdict.reason.empty()) continue;
        fmt::print("\n{}: {}: {}\n", address_of(*line.instance, line.status->disk), word(verdict.kind),
                   printable(verdict.reason));
        if (!verdict.remedy.empty()) fmt::print("  next: {}\n", printable(verdict.remedy));
    }
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    std::vector<Error> warnings;
    const auto entries = session.survey(Depth::recorded, warnings);
    std::vector<Line> lines;
    for (const auto& entry : entries)
        for (const auto& status : entry.disks)
            if (status.verdict) lines.push_back({&entry.view.instance, &status});
    const auto sleeping = not_running(session.journal(), entries, warnings);
    const bool all_good = std::all_of(lines.begin(), lines.end(),
                                      [](const Line& l) { return l.status->verdict->kind == VerdictKind::enforced; });
    if (arguments.json()) {
        json::array limits, waiting, problems;
        for (const auto& line : lines) limits.push_back(line_json(line));
        for (const auto& record : sleeping)
            waiting.push_back(json::object{
                {"kind", record.key.kind}, {"id", printable(record.key.id)}, {"name", printable(record.name)}});
        for (const auto& warning : warnings) problems.push_back(to_json(warning));
        print_json(json::object{
            {"limits", std::move(limits)}, {"not_running", std::move(waiting)}, {"warnings", std::move(problems)}});
    } else {
        print_lines(lines);
        for (const auto& record : sleeping)
            fmt::print("\n{}/{} is not running; its limits ended with it\n", record.key.kind, printable(record.name));
        for (const auto& warning : warnings) warn(warning);
    }
    return all_good ? ExitCode::ok : ExitCode::not_in_force;
}

} // namespace

const Command status_command{
    "status",
    "",
    0,
    0,
    "Reads every limit of ours back and gives its verdict: enforced, ineffective, unsupported, drifted or failed.",
    "  penstock status\n  penstock status --json | jq '.limits[] | select(.verdict.kind != \"enforced\")'\n",
    nullptr,
    run};

} // namespace penstock
