// SPDX-License-Identifier: Apache-2.0
#include "enforce/gc.hpp"

#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/session.hpp"
#include "model/limits_json.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

namespace json = boost::json;
namespace po = boost::program_options;

void add_options(po::options_description& options) {
    auto add = options.add_options();
    add("ended", "also forget the limits of instances that are not running");
    add("dry-run", "show what would be removed, and do nothing");
}

json::object to_json(const StaleLimit& stale) {
    return {{"kind", stale.key.kind},
            {"id", printable(stale.key.id)},
            {"name", printable(stale.name)},
            {"disk", printable(stale.disk)},
            {"wanted", penstock::to_json(stale.wanted)},
            {"why", printable(stale.why)},
            {"lifted", stale.lifted}};
}

void print(const std::vector<StaleLimit>& stale, bool dry_run) {
    if (stale.empty()) fmt::print("no limit is stale\n");
    for (const auto& limit : stale)
        fmt::print("{}: {}{}: {}\n  {}\n", address_of({.key = limit.key, .name = limit.name}, limit.disk),
                   dry_run ? "would forget " : "forgot ", describe(limit.wanted),
                   limit.lifted ? dry_run ? "and would lift it in the kernel" : "and lifted it in the kernel"
                                : "the kernel does not hold it any more",
                   printable(limit.why));
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    const GcOptions options{arguments.has("ended"), arguments.has("dry-run")};
    const auto stale = collect_garbage(session.inventory(), session.journal(), options);
    if (!stale) return stale.error();
    if (!arguments.json()) {
        print(*stale, options.dry_run);
        return ExitCode::ok;
    }
    json::array out;
    for (const auto& limit : *stale) out.push_back(to_json(limit));
    print_json(json::object{{"done", !options.dry_run}, {"stale", std::move(out)}});
    return ExitCode::ok;
}

} // namespace

const Command gc_command{
    "gc",
    "",
    0,
    0,
    "Removes limits that stand for nothing any more: their device has gone, or its number is another device's now.",
    "  penstock gc --dry-run\n  penstock gc\n  penstock gc --ended\n",
    add_options,
    run};

} // namespace penstock
