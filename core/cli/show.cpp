// SPDX-License-Identifier: Apache-2.0
#include "base/size.hpp"
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/words.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

void line(std::string_view key, const std::string& value) {
    if (!value.empty()) fmt::print("  {:<11} {}\n", key, value);
}

void print_disk(const Session::Entry& entry, const DiskStatus& status) {
    const auto& view = *entry.view.find(status.disk);
    const auto& disk = view.disk;
    fmt::print("\n{}\n", address_of(entry.view.instance, status.disk));
    line("driver", printable(disk.driver) + (disk.bus.empty() ? "" : " on " + printable(disk.bus)));
    line("cache", std::string{word(disk.cache)});
    if (disk.read_only) line("mode", "read-only");
    line("native id", printable(disk.native_id));
    if (view.chain.device)
        line("device", fmt::format("{} {} ({})", view.chain.device->name, view.chain.device->number.text(),
                                   printable(view.chain.device->identity())));
    line("note", printable(disk.note));
    line("engine", std::string{name(status.point.engine == Engine::none ? status.choice.engine : status.point.engine)});
    if (status.point.engine == Engine::cgroup) line("cgroup", printable(status.point.cgroup));
    line("limits", describe(status.seen));
    if (status.wanted) line("wanted", describe(*status.wanted));
    if (status.verdict) {
        line("verdict", std::string{word(status.verdict->kind)});
        line("reason", printable(status.verdict->reason));
        line("next", printable(status.verdict->remedy));
    }
    if (const auto& c = status.counters)
        line("has done", fmt::format("read {}B in {} requests, written {}B in {} requests",
                                     format_rounded(static_cast<double>(c->read_bytes)), c->read_ios,
                                     format_rounded(static_cast<double>(c->write_bytes)), c->write_ios));
}

Result<ExitCode> run(const Arguments& arguments) {
    Session session{arguments};
    auto found = session.find(arguments.operands[0]);
    if (!found) return found.error();
    if (!found->disk.empty())
        if (auto picked = session.pick_disk(*found); !picked) return picked.error();
    const auto only = found->disk;
    auto entry = session.entry_of(std::move(found->view), Depth::live);
    if (!only.empty()) std::erase_if(entry.disks, [&](const DiskStatus& s) { return s.disk != only; });
    if (arguments.json()) {
        print_json(to_json(entry));
        return ExitCode::ok;
    }
    const auto& instance = entry.view.instance;
    fmt::print("{}\n", address_of(instance));
    line("id", printable(instance.key.id));
    line("state", std::string{word(instance.state)});
    line("manager", instance.manager.empty() ? "none" : printable(instance.manager));
    line("process", instance.main_pid == 0 ? "" : std::to_string(instance.main_pid));
    line("threads", std::to_string(entry.view.actors.size()) + " that submit I/O");
    if (entry.view.placement)
        line("cgroup", printable(entry.view.placement->cgroup) + (entry.view.placement->create ? " (to be made)" : ""));
    line("note", printable(instance.note));
    for (const auto& status : entry.disks) print_disk(entry, status);
    for (const auto& trouble : entry.view.troubles) warn(trouble);
    return ExitCode::ok;
}

} // namespace

const Command show_command{"show",
                           "INSTANCE[:DISK]",
                           1,
                           1,
                           "Shows everything that is known of one instance, with live values.",
                           "  penstock show db1\n  penstock show kvm/db1:vda --json\n",
                           nullptr,
                           run};

} // namespace penstock
