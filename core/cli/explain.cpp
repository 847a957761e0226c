// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/weight_view.hpp"
#include "cli/words.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace penstock {
namespace {

namespace json = boost::json;

void print_chain(const BackingChain& chain) {
    for (const auto& link : chain.links) {
        fmt::print("  {:{}}{} {}", "", link.depth * 2, link.what, link.name);
        if (link.device) fmt::print(" {}", link.device->text());
        if (!link.detail.empty()) fmt::print(" ({})", link.detail);
        const bool here = chain.device && link.device == chain.device->number && link.what != "file system";
        fmt::print("{}\n", here && !chain.partial ? "  <- a limit acts here"
                           : here                 ? "  <- a limit would be set here"
                                                  : "");
        if (link.partial)
            fmt::print("  {:{}}a limit here would not do: {}\n", "", link.depth * 2 + 2,
                       printable(link.partial->reason));
    }
    for (const auto& note : chain.notes) fmt::print("  note: {}\n", printable(note));
    if (chain.partial) fmt::print("  a limit lets I/O pass: {}\n", printable(chain.partial->reason));
    if (chain.obstacle) fmt::print("  no limit can act: {}\n", printable(chain.obstacle->reason));
}

// Those of other disks are left out, as far as the plugin knows who serves which.
void print_actors(const InstanceView& view, const std::string& disk) {
    std::map<std::pair<pid_t, ActorRole>, std::vector<std::string>> groups;
    for (const auto& actor : view.actors)
        if (actor.disks.empty() || std::find(actor.disks.begin(), actor.disks.end(), disk) != actor.disks.end())
            groups[{actor.pid, actor.role}].push_back(printable(actor.name));
    std::size_t shown = 0;
    for (const auto& [key, names] : groups) {
        if (++shown > 8) {
            fmt::print("  ... {} more\n", groups.size() - 8);
            break;
        }
        fmt::print("  {} of process {}: {}{}\n", word(key.second), key.first, names.front(),
                   names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
    }
}

void print_placement(const InstanceView& view) {
    if (!view.placement) return fmt::print("  {}\n", view.no_hierarchy);
    const auto& placement = *view.placement;
    if (placement.obstacle) return fmt::print("  none of its own: {}\n", printable(placement.obstacle->reason));
    fmt::print("  {} (cgroup {}, {})\n", printable(placement.cgroup), name(placement.hierarchy.version),
               placement.hierarchy.mount_point);
    for (const auto& move : placement.moves)
        fmt::print("  process {} is in {} now and would be moved\n", move.pid, printable(move.from));
    if (!placement.adopt.empty()) fmt::print("  only with --adopt: {}\n", printable(placement.adopt));
    for (const auto& note : placement.notes) fmt::print("  note: {}\n", printable(note));
}

void print_option(const EngineOption& option, const EngineChoice& choice) {
    const auto& obstacle = option.impossible ? option.impossible : option.ineffective;
    const bool chosen = choice.engine == option.engine;
    fmt::print("  {:<7} {}\n", name(option.engine),
               chosen     ? "chosen: " + choice.why
               : obstacle ? (option.impossible ? "no: " : "would not act: ") + obstacle->reason
                          : "possible, not chosen" +
                                std::string{option.exact ? "" : ": it would not act on exactly this disk's I/O"});
    if (obstacle && !chosen && !obstacle->remedy.empty())
        fmt::print("          what would help: {}\n", obstacle->remedy);
    for (const auto& caveat : option.caveats) fmt::print("          {}\n", printable(caveat));
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    auto found = session.find(arguments.operands[0]);
    if (!found) return found.error();
    const auto picked = session.pick_disk(*found);
    if (!picked) return picked.error();
    const auto target = (*picked)->disk.target;
    auto entry = session.entry_of(std::move(found->view), Depth::live);
    std::erase_if(entry.disks, [&](const DiskStatus& s) { return s.disk != target; });
    const auto& view = entry.view;
    const auto& disk = *view.find(target);
    const auto& status = entry.disks.front();
    if (arguments.json()) {
        json::array actors;
        for (const auto& actor : view.actors)
            actors.push_back(json::object{
                {"role", word(actor.role)}, {"pid", actor.pid}, {"tid", actor.tid}, {"name", printable(actor.name)}});
        json::object out{{"instance", to_json(entry)},
                         {"chain", to_json(disk.chain)},
                         {"actors", std::move(actors)},
                         {"engines", json::object{{"chosen", name(status.choice.engine)},
                                                  {"why", status.choice.why},
                                                  {"cgroup", to_json(status.choice.cgroup)},
                                                  {"native", to_json(status.choice.native)}}}};
        if (view.placement)
            out["cgroup"] = json::object{{"path", printable(view.placement->cgroup)},
                                         {"version", name(view.placement->hierarchy.version)},
                                         {"create", view.placement->create},
                                         {"adopt", view.placement->adopt}};
        if (status.weighing) out["weight"] = weight_json(*status.weighing, view);
        print_json(out);
        return ExitCode::ok;
    }
    fmt::print("{}\n", address_of(view.instance, target));
    fmt::print("disk\n  {}{}, cache {}\n", printable(disk.disk.driver),
               disk.disk.bus.empty() ? "" : " on " + printable(disk.disk.bus), word(disk.disk.cache));
    if (!disk.disk.note.empty()) fmt::print("  note: {}\n", printable(disk.disk.note));
    fmt::print("backing chain\n");
    print_chain(disk.chain);
    fmt::print("processes that submit its I/O\n");
    print_actors(view, target);
    fmt::print("cgroup\n");
    print_placement(view);
    fmt::print("engines\n");
    if (status.choice.engine == Engine::none) fmt::print("  none: {}\n", status.choice.why);
    print_option(status.choice.cgroup, status.choice);
    print_option(status.choice.native, status.choice);
    if (status.weighing) {
        fmt::print("weight\n");
        print_weight(*status.weighing, view);
    }
    fmt::print("limits\n  {}\n", describe(status.seen));
    if (status.verdict) {
        fmt::print("  {}{}\n", word(status.verdict->kind),
                   status.verdict->reason.empty() ? "" : ": " + printable(status.verdict->reason));
        if (!status.verdict->remedy.empty()) fmt::print("  next: {}\n", printable(status.verdict->remedy));
    }
    for (const auto& trouble : view.troubles) warn(trouble);
    return ExitCode::ok;
}

} // namespace

const Command explain_command{
    "explain",
    "INSTANCE[:DISK]",
    1,
    1,
    "Explains where a limit would act: the backing chain, the processes, their cgroup, the engine and why not another.",
    "  penstock explain db1:vda\n",
    nullptr,
    run};

} // namespace penstock
