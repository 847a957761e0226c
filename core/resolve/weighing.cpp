// SPDX-License-Identifier: Apache-2.0
#include "resolve/weighing.hpp"

#include "cgroup/lines.hpp"
#include "sys/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace penstock {
namespace {

constexpr std::size_t device_cap = 64;

// A scheduler is listed by every queue that can have one, once its module is loaded.
bool any_queue_lists(const Roots& roots, std::string_view scheduler) {
    for (const auto& name : entry_names(roots.sys + "/block")) {
        const auto text = read_line(roots.sys + "/block/" + name + "/queue/scheduler");
        if (text && text->find(scheduler) != std::string::npos) return true;
    }
    return false;
}

// io.cost.qos and io.cost.model of the root cgroup: "8:16 enable=1 ctrl=user ...". They exist only where the kernel has
// iocost.
struct IocostTable {
    bool built = false;
    std::string qos, model;

    bool acts_on(DeviceNumber number) const { return has(qos, number, "enable=1"); }
    bool guesses(DeviceNumber number) const { return !has(model, number, "ctrl=user"); }

private:
    static bool has(std::string_view text, DeviceNumber number, std::string_view word) {
        bool found = false;
        for_each_line(text, [&](std::string_view line) {
            if (take_word(line) != number.text()) return;
            while (!line.empty())
                if (take_word(line) == word) found = true;
        });
        return found;
    }
};

IocostTable read_iocost(const Hierarchy& hierarchy) {
    if (hierarchy.version == CgroupVersion::v1) return {};
    auto qos = read_file(hierarchy.mount_point + "/io.cost.qos");
    auto model = read_file(hierarchy.mount_point + "/io.cost.model");
    return qos && model ? IocostTable{true, *std::move(qos), *std::move(model)} : IocostTable{};
}

class Walk {
public:
    Walk(const Roots& roots, const IocostTable& iocost) : roots_{roots}, iocost_{iocost} {}

    void at(const BlockDevice& device) {
        if (!seen_.insert(device.number).second || seen_.size() > device_cap) return;
        WeightDevice found{device, {}};
        if (device.scheduler == "bfq") found.policies.push_back(WeightPolicy::bfq);
        if (device.scheduler == "cfq") found.policies.push_back(WeightPolicy::cfq);
        // A device without a queue for a scheduler takes the setting and heeds it not (brd, measured).
        if (iocost_.acts_on(device.number) && !device.scheduler.empty()) found.policies.push_back(WeightPolicy::iocost);
        const bool hands_on = found.policies.empty() && !device.below.empty();
        if (!hands_on) return devices.push_back(std::move(found));
        for (const auto& number : device.below)
            if (const auto below = read_block_device(roots_, number)) {
                const auto whole =
                    below->kind == BlockKind::partition ? read_block_device(roots_, below->whole) : below;
                if (whole) at(*whole);
            }
    }

    std::vector<WeightDevice> devices;

private:
    const Roots& roots_;
    const IocostTable& iocost_;
    std::set<DeviceNumber> seen_;
};

bool has(const std::vector<WeightPolicy>& policies, WeightPolicy policy) {
    return std::find(policies.begin(), policies.end(), policy) != policies.end();
}

// Why nothing shares this device out, and what would make something do so.
Obstacle idle_reason(const WeightDevice& found, const Weighing& weighing) {
    const auto& name = found.device.name;
    if (found.device.scheduler.empty()) // a queue that can have one shows "[none]" at least
        return {fmt::format("{} hands its requests on as they come: it has no scheduler that could weigh them", name),
                "put the disk on a device that has one, or use rate limits"};
    const auto& scheduler = found.device.scheduler;
    if (has(weighing.available, WeightPolicy::bfq))
        return {fmt::format("the scheduler of {} is {}, which ignores weights{}", name, scheduler,
                            has(weighing.available, WeightPolicy::iocost) ? ", and iocost is off for it" : ""),
                fmt::format("'penstock doctor --fix {}' turns on what acts", name)};
    return {fmt::format("the scheduler of {} is {}, which ignores weights, BFQ is not loaded{}", name, scheduler,
                        has(weighing.available, WeightPolicy::iocost) ? ", and iocost is off for it" : ""),
            fmt::format("'penstock doctor --fix {}' loads what acts and turns it on", name)};
}

} // namespace

std::vector<WeightPlace> Weighing::places() const {
    std::vector<WeightPlace> out;
    for (const auto& found : devices)
        for (const auto policy : found.policies) out.push_back({policy, found.device.number});
    return out;
}

Weighing weigh(const Roots& roots, const Hierarchy& hierarchy, const BlockDevice& device) {
    Weighing out;
    const auto iocost = read_iocost(hierarchy);
    if (any_queue_lists(roots, "bfq")) out.available.push_back(WeightPolicy::bfq);
    if (any_queue_lists(roots, "cfq")) out.available.push_back(WeightPolicy::cfq);
    if (iocost.built) out.available.push_back(WeightPolicy::iocost);
    Walk walk{roots, iocost};
    walk.at(device);
    out.devices = std::move(walk.devices);
    if (out.available.empty()) {
        out.impossible =
            Obstacle{"this kernel keeps no weights: BFQ is not loaded" +
                         std::string{hierarchy.version == CgroupVersion::v1 ? "" : ", and it has no iocost"},
                     fmt::format("'penstock doctor --fix {}' loads BFQ and turns it on", device.name)};
        return out;
    }
    std::vector<const WeightDevice*> idle;
    for (const auto& found : out.devices)
        if (found.policies.empty()) idle.push_back(&found);
    if (out.devices.empty())
        out.ineffective = Obstacle{"what " + device.name + " lies on cannot be found out", "see 'penstock explain'"};
    else if (idle.size() == out.devices.size())
        out.ineffective = idle_reason(*idle.front(), out);
    else
        for (const auto* found : idle)
            out.caveats.push_back("not on " + found->device.name + ": " + idle_reason(*found, out).reason);
    for (const auto& found : out.devices)
        if (has(found.policies, WeightPolicy::iocost) && iocost.guesses(found.device.number))
            out.caveats.push_back(
                fmt::format("iocost goes by the kernel's guess of what {0} can do, and does nothing where "
                            "that is too much; 'penstock doctor --fix --iocost {0}' measures it",
                            found.device.name));
    return out;
}

} // namespace penstock
