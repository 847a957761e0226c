// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/session.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

namespace penstock {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string_view word(ProbeStatus status) {
    switch (status) {
    case ProbeStatus::present: return "present";
    case ProbeStatus::absent: return "absent";
    case ProbeStatus::broken: break;
    }
    return "broken";
}

json::object to_json(const PluginEntry& entry, const Error* error, const std::vector<ProbeLine>& lines) {
    json::array kinds, found;
    for (const auto& kind : entry.manifest.kinds) kinds.push_back(json::string{kind});
    for (const auto& line : lines)
        found.push_back(json::object{{"component", printable(line.component)},
                                     {"status", word(line.status)},
                                     {"version", printable(line.version)},
                                     {"detail", printable(line.detail)}});
    json::object out{{"id", printable(entry.manifest.id)}, {"version", printable(entry.manifest.version)},
                     {"kinds", std::move(kinds)},          {"library", printable(entry.library)},
                     {"loaded", error == nullptr},         {"found", std::move(found)}};
    if (error != nullptr) out["error"] = penstock::to_json(*error);
    return out;
}

void print(const PluginEntry& entry, const Error* error, const std::vector<ProbeLine>& lines) {
    fmt::print("{} {} ({})\n  from {}\n", printable(entry.manifest.id), printable(entry.manifest.version),
               printable(fmt::format("{}", fmt::join(entry.manifest.kinds, ", "))), printable(entry.library));
    if (error != nullptr) {
        fmt::print("  not usable: {}\n", error->text());
        if (!error->next().empty()) fmt::print("  next: {}\n", error->next());
    }
    for (const auto& line : lines)
        fmt::print("  {} {}{}{}\n", printable(line.component), word(line.status),
                   line.version.empty() ? "" : " " + printable(line.version),
                   line.detail.empty() ? "" : ": " + printable(line.detail));
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    json::array all;
    for (const auto& entry : session.plugins().entries()) {
        std::optional<Error> error;
        std::vector<ProbeLine> lines;
        if (const auto plugin = session.plugins().get(entry); !plugin)
            error = plugin.error();
        else if (auto found = (*plugin)->probe(std::chrono::steady_clock::now() + 1s); !found)
            error = found.error();
        else
            lines = *std::move(found);
        const auto* problem = error ? &*error : nullptr;
        if (arguments.json())
            all.push_back(to_json(entry, problem, lines));
        else
            print(entry, problem, lines);
    }
    if (arguments.json())
        print_json(json::object{{"plugins", std::move(all)}});
    else if (session.plugins().entries().empty())
        fmt::print("no plugin was found; --plugin-dir names a directory\n");
    return ExitCode::ok;
}

} // namespace

const Command plugins_command{
    "plugins",
    "",
    0,
    0,
    "Lists the plugins: from where, and what each one found on this host, or why it cannot be used.",
    "  penstock plugins\n",
    nullptr,
    run};

} // namespace penstock
