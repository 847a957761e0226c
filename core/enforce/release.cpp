// SPDX-License-Identifier: Apache-2.0
#include "enforce/release.hpp"

#include "cgroup/cgroup.hpp"
#include "enforce/executor.hpp"
#include "resolve/address.hpp"

#include <chrono>
#include <thread>

namespace penstock {
namespace {

// What a lifted limit held back has gone on after 45 to 380 ms (measured, Linux 6.1).
constexpr std::chrono::milliseconds drain{500};

bool is_on(const DiskRecord& record, const BlockDevice& device) {
    return record.point.engine == Engine::cgroup && record.point.device == device.number;
}

std::vector<std::string> disks_of_ours(const std::vector<InstanceRecord>& records, const BlockDevice& device,
                                       const std::string& cgroup) {
    std::vector<std::string> out;
    for (const auto& record : records)
        for (const auto& disk : record.disks)
            if (is_on(disk, device) && disk.point.cgroup == cgroup)
                out.push_back(address_of(Instance{.key = record.key, .name = record.name}, disk.disk));
    return out;
}

// One that has gone meanwhile limits nothing.
Result<Limits> limits_in(const Cgroup& cgroup, DeviceNumber device) {
    const bool v2_without_io = cgroup.version() == CgroupVersion::v2 && !cgroup.has("io.max");
    auto limits = v2_without_io ? Result<Limits>{Limits{}} : read_limits(cgroup, device);
    return limits || limits.error().code() != ErrorCode::gone ? limits : Result<Limits>{Limits{}};
}

} // namespace

Result<std::vector<Holder>> holders_of(const Hierarchy& hierarchy, const BlockDevice& device,
                                       const std::vector<InstanceRecord>& records, bool all) {
    std::vector<Holder> holders;
    std::vector<std::string> open{"/"};
    while (!open.empty()) {
        const auto path = std::move(open.back());
        open.pop_back();
        const auto cgroup = Cgroup::open(hierarchy, path);
        if (!cgroup && cgroup.error().code() == ErrorCode::gone) continue;
        if (!cgroup) return cgroup.error();
        const auto limits = limits_in(*cgroup, device.number);
        if (!limits) return limits.error();
        if (!limits->empty()) {
            const LimitPoint point{.engine = Engine::cgroup,
                                   .version = hierarchy.version,
                                   .cgroup = path,
                                   .device = device.number,
                                   .device_name = device.name};
            const Seen going{*limits, std::nullopt, true}; // no later limit on this device will be owed anything
            auto ours = disks_of_ours(records, device, path);
            const bool lift = all || !ours.empty();
            holders.push_back({std::move(ours), plan_clear(point, going, LimitFields::all(), {}), *limits, lift});
        }
        if (const auto children = cgroup->children()) open.insert(open.end(), children->begin(), children->end());
    }
    return holders;
}

Result<void> release(const Roots& roots, const Hierarchy& hierarchy, const Journal& journal, const BlockDevice& device,
                     std::vector<InstanceRecord> records, const std::vector<Holder>& holders) {
    for (auto& record : records) {
        bool changed = false;
        for (auto& disk : record.disks)
            if (is_on(disk, device)) {
                disk.released = changed = true;
                disk.before = {}; // is lifted too, and nothing comes back on a device that goes
            }
        if (!changed) continue;
        if (auto saved = journal.save(record); !saved) return saved;
    }
    bool lifted = false;
    for (const auto& holder : holders) {
        if (!holder.lift) continue;
        auto done = Executor{roots, &hierarchy, nullptr}.run(holder.plan);
        if (!done && done.error().code() != ErrorCode::gone && done.error().sys_errno() != ENODEV)
            return std::move(done.error()).within("releasing " + device.name);
        lifted = true;
    }
    if (lifted) std::this_thread::sleep_for(drain);
    return {};
}

} // namespace penstock
