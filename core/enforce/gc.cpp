// SPDX-License-Identifier: Apache-2.0
#include "enforce/gc.hpp"

#include "base/text.hpp"
#include "enforce/executor.hpp"
#include "enforce/sweep.hpp"
#include "sys/block_device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

// Why the limit is stale; empty where it is not.
std::string stale_because(const Roots& roots, const DiskRecord& record) {
    if (record.point.engine != Engine::cgroup) return {};
    const auto& point = record.point;
    const auto device = read_block_device(roots, point.device);
    if (!device) return fmt::format("{} ({}) has gone", point.device_name, point.device.text());
    if (device->identity() != record.device_identity)
        return fmt::format("{} is {} ({}) now, and was {} ({})", point.device.text(), device->name,
                           printable(device->identity()), point.device_name, printable(record.device_identity));
    return {};
}

// Some fields that we set are still there as we set them.
bool still_there(const Limits& now, const Limits& wanted) {
    return std::any_of(all_rates.begin(), all_rates.end(),
                       [&](Rate rate) { return wanted[rate] && now[rate] == wanted[rate]; });
}

class Collection {
public:
    Collection(Inventory& inventory, const Journal& journal, const GcOptions& options)
        : inventory_{inventory}, journal_{journal}, options_{options} {}

    Result<std::vector<StaleLimit>> run() {
        const auto running = inventory_.list();
        if (options_.ended && !running.warnings.empty())
            return Error{running.warnings.front()}.within("finding out which instances are running");
        for (auto& record : journal_.load_all()) {
            const bool runs = std::any_of(running.instances.begin(), running.instances.end(), [&](const Instance& i) {
                return i.key.kind == record.key.kind && i.key.id == record.key.id;
            });
            if (auto done = visit(record, runs); !done) return done.error();
        }
        if (!options_.dry_run && inventory_.hierarchy()) sweep(*inventory_.hierarchy());
        return std::move(stale_);
    }

private:
    Result<void> visit(InstanceRecord& record, bool runs) {
        const auto before = record.disks.size();
        std::erase_if(record.disks, [&](const DiskRecord& disk) {
            auto why = stale_because(inventory_.roots(), disk);
            if (why.empty() && !runs && options_.ended) why = "the instance is not running";
            if (why.empty()) return false;
            stale_.push_back({record.key, record.name, disk.disk, disk.wanted, std::move(why), lift(disk)});
            return true;
        });
        if (record.disks.size() == before || options_.dry_run) return {};
        return journal_.save(record);
    }

    // What the kernel still holds: a loop device keeps its number's limits when it gets another file.
    bool lift(const DiskRecord& disk) {
        if (disk.point.engine != Engine::cgroup || !inventory_.hierarchy()) return false;
        Executor executor{inventory_.roots(), &*inventory_.hierarchy(), nullptr};
        const auto now = executor.read(disk.point);
        if (!now || !still_there(*now, disk.wanted)) return false;
        if (options_.dry_run) return true;
        LimitFields ours;
        for (const auto rate : all_rates)
            ours.rates[index(rate)] = disk.wanted[rate] && (*now)[rate] == disk.wanted[rate];
        return executor.run(plan_clear(disk.point, {*now, std::nullopt}, ours, {})).has_value();
    }

    Inventory& inventory_;
    const Journal& journal_;
    const GcOptions& options_;
    std::vector<StaleLimit> stale_;
};

} // namespace

Result<std::vector<StaleLimit>> collect_garbage(Inventory& inventory, const Journal& journal,
                                                const GcOptions& options) {
    Fd lock;
    if (!options.dry_run) {
        auto held = journal.lock();
        if (!held) return held.error();
        lock = *std::move(held);
    }
    return Collection{inventory, journal, options}.run();
}

} // namespace penstock
