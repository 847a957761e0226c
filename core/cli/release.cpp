// SPDX-License-Identifier: Apache-2.0
#include "enforce/release.hpp"
#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"
#include "model/limits_json.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>

namespace penstock {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

void add_options(po::options_description& options) {
    auto add = options.add_options();
    add("all", "lift limits that others have set, too");
    add("dry-run", "print the exact writes, in order, and do nothing");
}

// "/dev/sda", "sda" or "8:0". Of a partition its disk, which is what can be limited.
Result<BlockDevice> device_of(const Roots& roots, const std::string& text) {
    auto number = parse_device_number(text);
    if (!number) {
        const auto path = text.find('/') == std::string::npos ? "/dev/" + text : text;
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode))
            return Error{ErrorCode::not_found, fmt::format("'{}' is not a block device", printable(path))}.advise(
                "name it like /dev/sda, sda or 8:0");
        number = DeviceNumber::from_dev(status.st_rdev);
    }
    auto device = read_block_device(roots, *number);
    if (device && device->whole != device->number) return read_block_device(roots, device->whole);
    return device;
}

json::object holder_json(const Holder& holder, const Hierarchy& hierarchy) {
    json::array steps, ours;
    for (const auto& step : holder.plan.steps)
        steps.push_back(json::object{{"do", describe(step, &hierarchy)}, {"why", step.why}});
    for (const auto& address : holder.ours) ours.push_back(json::string{address});
    return {{"cgroup", printable(holder.plan.point.cgroup)},
            {"limits", to_json(holder.limits)},
            {"disks", std::move(ours)},
            {"lifted", holder.lift},
            {"steps", std::move(steps)}};
}

void print_holder(const BlockDevice& device, const Holder& holder, const Hierarchy& hierarchy, bool dry_run) {
    const auto& cgroup = holder.plan.point.cgroup;
    const auto whose = holder.ours.empty() ? std::string{"others"} : fmt::format("{}", fmt::join(holder.ours, ", "));
    if (!holder.lift)
        return warn(Error{ErrorCode::conflict, fmt::format("{}: {} is set in {} by others, and is left there",
                                                           device.name, describe(holder.limits), printable(cgroup))}
                        .advise("add --all to lift it as well, or clear it where it was set"));
    fmt::print("{}: {} of {} in {}: {}\n", device.name, describe(holder.limits), whose, printable(cgroup),
               dry_run ? "would be lifted" : "lifted");
    if (!dry_run) return;
    for (const auto& step : holder.plan.steps) fmt::print("  {}\n     {}\n", describe(step, &hierarchy), step.why);
}

Result<ExitCode> run(const Arguments& arguments) {
    const bool dry_run = arguments.has("dry-run");
    Session session{arguments};
    const auto& hierarchy = session.inventory().hierarchy();
    if (!hierarchy) return hierarchy.error();
    const auto& roots = session.inventory().roots();
    const auto device = device_of(roots, arguments.operands[0]);
    if (!device) return device.error();
    Fd lock;
    if (!dry_run) {
        auto locked = session.journal().lock();
        if (!locked) return locked.error();
        lock = *std::move(locked);
    }
    auto records = session.journal().load_all();
    const auto holders = holders_of(*hierarchy, *device, records, arguments.has("all"));
    if (!holders) return holders.error();
    if (!dry_run)
        if (auto done = release(roots, *hierarchy, session.journal(), *device, std::move(records), *holders); !done)
            return done.error();
    if (arguments.json()) {
        json::array cgroups;
        for (const auto& holder : *holders) cgroups.push_back(holder_json(holder, *hierarchy));
        print_json(json::object{{"device", device->name},
                                {"device_number", device->number.text()},
                                {"done", !dry_run},
                                {"cgroups", std::move(cgroups)}});
    } else {
        if (holders->empty()) fmt::print("{}: no limit is set on it\n", device->name);
        for (const auto& holder : *holders) print_holder(*device, holder, *hierarchy, dry_run);
    }
    return std::all_of(holders->begin(), holders->end(), [](const Holder& h) { return h.lift; })
               ? ExitCode::ok
               : ExitCode::not_in_force;
}

} // namespace

const Command release_command{
    "release",
    "DEVICE",
    1,
    1,
    "Lifts every limit on a block device before it is removed.",
    "  penstock release /dev/sda && echo 1 > /sys/block/sda/device/delete\n  penstock release sda --all --dry-run\n",
    add_options,
    run};

} // namespace penstock
