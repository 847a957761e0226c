// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_fix.hpp"

#include "base/text.hpp"
#include "cli/json_view.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"
#include "enforce/limiter.hpp"
#include "enforce/tuner.hpp"
#include "observe/calibration.hpp"
#include "observe/iocost_settings.hpp"
#include "resolve/address.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

namespace penstock {
namespace {

namespace json = boost::json;

// "sda" or "/dev/vg/lv".
Result<BlockDevice> device_named(const Roots& roots, const std::string& name) {
    const auto path = name.starts_with('/') ? name : roots.dev + "/" + name;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return Error{ErrorCode::not_found, "there is no device " + printable(path)}.advise("see 'lsblk'");
    if (!S_ISBLK(status.st_mode)) return Error{ErrorCode::invalid, printable(path) + " is not a block device"};
    auto device = read_block_device(roots, DeviceNumber::from_dev(status.st_rdev));
    if (device && device->kind == BlockKind::partition) return read_block_device(roots, device->whole);
    return device;
}

// The devices named; without names, those that a weight of ours lies on. Nothing else is touched.
Result<std::vector<BlockDevice>> devices_of(Session& session, const Arguments& arguments) {
    const auto& roots = session.inventory().roots();
    std::vector<BlockDevice> devices;
    for (const auto& name : arguments.operands) {
        auto device = device_named(roots, name);
        if (!device) return device.error();
        devices.push_back(*std::move(device));
    }
    if (!devices.empty()) return devices;
    for (const auto& record : session.journal().load_all())
        for (const auto& disk : record.disks)
            if (disk.wanted.weight && disk.point.engine == Engine::cgroup)
                if (auto device = read_block_device(roots, disk.point.device);
                    device && device->identity() == disk.device_identity)
                    devices.push_back(*std::move(device));
    return devices;
}

// The model that was given, else udev's, else measured.
Result<IocostSettings> settings_for(Session& session, const BlockDevice& device, const Arguments& arguments) {
    if (arguments.has("model")) {
        auto model = parse_iocost_model(arguments.options["model"].as<std::string>());
        if (!model) return std::move(model.error()).within("reading --model");
        return IocostSettings{*model, strict_iocost_qos, "as given"};
    }
    const auto& roots = session.inventory().roots();
    if (auto known = iocost_settings_from_udev(roots, device)) return *std::move(known);
    fmt::print(stderr, "{}: measuring what it does by reading it for {} seconds\n", device.name, calibration_seconds);
    return measure_iocost_settings(roots, device);
}

Result<DeviceTuning> tuning_of(Session& session, const Tuner& tuner, const BlockDevice& device,
                               const Arguments& arguments) {
    if (!arguments.has("iocost")) return tuner.plan_bfq(device);
    const auto now = tuner.iocost_state(device, *session.inventory().hierarchy());
    if (!now) return now.error();
    if (iocost_acts(*now)) return tuner.plan_iocost(device, *now, {});
    const auto settings = settings_for(session, device, arguments);
    if (!settings) return settings.error();
    return tuner.plan_iocost(device, *now, *settings);
}

// What there is to do on the devices that share out, each once.
Result<std::vector<DeviceTuning>> tunings_of(Session& session, const Tuner& tuner, const Arguments& arguments) {
    const auto devices = devices_of(session, arguments);
    if (!devices) return devices.error();
    const auto& hierarchy = session.inventory().hierarchy();
    if (!hierarchy) return hierarchy.error();
    std::map<DeviceNumber, DeviceTuning> found;
    for (const auto& device : *devices)
        for (const auto& one : weigh(session.inventory().roots(), *hierarchy, device).devices) {
            auto tuning = tuning_of(session, tuner, one.device, arguments);
            if (!tuning) return tuning.error();
            found.emplace(one.device.number, *std::move(tuning));
        }
    std::vector<DeviceTuning> out;
    for (auto& [number, tuning] : found) out.push_back(std::move(tuning));
    return out;
}

// Weights of ours that could not be written before are written now that something acts.
void write_weights(Session& session) {
    for (const auto& record : session.journal().load_all())
        for (const auto& disk : record.disks) {
            if (!disk.wanted.weight) continue;
            const auto found = session.find(record.key.kind + "/" + record.key.id);
            if (!found) continue; // not running
            const auto* view = found->view.find(disk.disk);
            if (view == nullptr) continue;
            Limiter limiter{session.inventory(), session.journal()};
            const auto address = address_of(found->view.instance, disk.disk);
            if (const auto done = limiter.set(*found, *view, {}, {.adopt = true, .force = true}); !done)
                warn(done.error());
            else
                fmt::print(stderr, "{}: {}\n", address, describe(done->plan.after));
        }
}

void print(const std::vector<DeviceTuning>& tunings, bool undo) {
    for (const auto& tuning : tunings) {
        if (tuning.writes.empty()) fmt::print("{}: nothing to do: it shares out by weight already\n", tuning.name);
        for (const auto& write : tuning.writes) {
            if (undo && !write.before) continue;
            const auto file = write.file.starts_with('/') ? write.file : "/sys/block/" + tuning.name + "/" + write.file;
            fmt::print("{}: write '{}' to {}", tuning.name, undo ? *write.before : write.value, file);
            if (!undo && write.before) fmt::print(" (put back by '{}')", *write.before);
            fmt::print("{}\n", write.why.empty() || undo ? "" : ": " + write.why);
        }
    }
}

json::object to_json(const std::vector<DeviceTuning>& tunings, bool undo, bool done) {
    json::array devices;
    for (const auto& tuning : tunings) {
        json::array writes;
        for (const auto& write : tuning.writes)
            if (!undo || write.before)
                writes.push_back(json::object{
                    {"file", write.file},
                    {"value", undo ? *write.before : write.value},
                    {"before", write.before && !undo ? json::value(*write.before) : json::value(nullptr)}});
        devices.push_back(json::object{
            {"device", tuning.name}, {"device_number", tuning.number.text()}, {"writes", std::move(writes)}});
    }
    return {{"done", done}, {"devices", std::move(devices)}};
}

void show(const Arguments& arguments, const std::vector<DeviceTuning>& tunings, bool undo) {
    if (arguments.json())
        print_json(to_json(tunings, undo, !arguments.has("dry-run")));
    else if (tunings.empty())
        fmt::print("{}\n", undo ? "nothing to put back" : "no weight of penstock's is set; name the devices");
    else
        print(tunings, undo);
}

} // namespace

Result<ExitCode> run_fix(const Arguments& arguments) {
    Session session{arguments};
    Tuner tuner{session.inventory().roots()};
    const auto tunings = tunings_of(session, tuner, arguments);
    if (!tunings) return tunings.error();
    show(arguments, *tunings, false);
    if (arguments.has("dry-run")) return ExitCode::ok;
    {
        const auto lock = session.journal().lock();
        if (!lock) return lock.error();
        for (const auto& tuning : *tunings)
            if (!tuning.writes.empty())
                if (auto done = tuner.apply(tuning); !done)
                    return std::move(done.error()).within("making " + tuning.name + " share out by weight");
    }
    write_weights(session);
    return ExitCode::ok;
}

Result<ExitCode> run_undo(const Arguments& arguments) {
    Session session{arguments};
    Tuner tuner{session.inventory().roots()};
    const auto lock = session.journal().lock();
    if (!lock) return lock.error();
    auto tunings = tuner.applied();
    if (!tunings) return tunings.error();
    if (!arguments.operands.empty())
        std::erase_if(*tunings, [&](const DeviceTuning& tuning) {
            return std::none_of(arguments.operands.begin(), arguments.operands.end(), [&](const std::string& name) {
                const auto device = device_named(session.inventory().roots(), name);
                return device && device->number == tuning.number;
            });
        });
    show(arguments, *tunings, true);
    if (arguments.has("dry-run")) return ExitCode::ok;
    for (const auto& tuning : *tunings)
        if (auto done = tuner.restore(tuning); !done)
            return std::move(done.error()).within("putting back the settings of " + tuning.name);
    return ExitCode::ok;
}

} // namespace penstock
