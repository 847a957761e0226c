// SPDX-License-Identifier: Apache-2.0
#include "enforce/weights.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"

#include <fmt/format.h>

#include <array>

namespace penstock {
namespace {

std::string text(const std::optional<std::uint32_t>& weight) { return weight ? std::to_string(*weight) : "none"; }

std::string where(const WeightPlace& place) {
    return fmt::format("{} weight of {}", name(place.policy), place.device.text());
}

struct PuttingBack {
    std::vector<WeightSetting> settings;
    std::vector<WeightSeen> seen;
};

// What has no weight any more has nothing to go back to: the kernel drops a device's weights with its scheduler.
PuttingBack putting_back(const Hierarchy& hierarchy, const std::string& cgroup, std::span<const WeightSetting> ours,
                         std::span<const WeightSetting> kept) {
    PuttingBack out;
    for (const auto& setting : weight_undoing(ours, kept)) {
        const auto seen = see_weights(hierarchy, cgroup, std::array{setting.place});
        if (!seen.front().now) continue;
        out.settings.push_back(setting);
        out.seen.push_back(seen.front());
    }
    return out;
}

} // namespace

std::optional<Weighing> weighing_for(Inventory& inventory, const DiskView& disk, const Limits& wanted) {
    if (!wanted.weight || !disk.chain.device || !inventory.hierarchy()) return std::nullopt;
    return weigh(inventory.roots(), *inventory.hierarchy(), *disk.chain.device);
}

std::vector<WeightSeen> see_weights(const Hierarchy& hierarchy, const std::string& path,
                                    std::span<const WeightPlace> places) {
    const auto cgroup = Cgroup::open(hierarchy, path);
    std::vector<WeightSeen> seen;
    for (const auto& place : places) {
        const auto now = cgroup ? read_weight(*cgroup, place) : Result<std::optional<std::uint32_t>>{cgroup.error()};
        seen.push_back({place, now ? *now : std::nullopt});
    }
    return seen;
}

std::vector<WeightSetting> plan_weights(Plan& plan, const Hierarchy& hierarchy, const Weighing& weighing,
                                        std::uint32_t weight, const DiskRecord* known) {
    const auto& cgroup = plan.point.cgroup;
    const auto places = weighing.places();
    const auto seen = see_weights(hierarchy, cgroup, places);
    std::vector<WeightSetting> ours;
    if (known != nullptr && known->point.cgroup == cgroup) ours = known->weights;
    const auto settings = weight_settings(weight, seen, ours);
    const auto back = putting_back(hierarchy, cgroup, ours, settings);
    add_weight_steps(plan, settings, seen);
    add_weight_steps(plan, back.settings, back.seen);
    return settings;
}

void plan_weights_back(Plan& plan, const Hierarchy& hierarchy, const InstanceRecord& record, const DiskRecord& known) {
    std::vector<WeightSetting> needed;
    for (const auto& other : record.disks)
        if (other.disk != known.disk && other.point.cgroup == known.point.cgroup)
            needed.insert(needed.end(), other.weights.begin(), other.weights.end());
    const auto back = putting_back(hierarchy, known.point.cgroup, known.weights, needed);
    add_weight_steps(plan, back.settings, back.seen);
}

std::optional<Error> weight_conflict(const InstanceRecord& record, const std::string& disk, const std::string& cgroup,
                                     std::span<const WeightSetting> settings) {
    for (const auto& other : record.disks) {
        if (other.disk == disk || other.point.cgroup != cgroup) continue;
        for (const auto& theirs : other.weights)
            for (const auto& ours : settings)
                if (ours.place == theirs.place && ours.value != theirs.value)
                    return Error{ErrorCode::conflict,
                                 fmt::format("the kernel keeps one {} for this disk and for {}, which has {}",
                                             where(ours.place), printable(other.disk), text(theirs.value))}
                        .advise(fmt::format("give both the same weight, or clear the weight of {} first",
                                            printable(other.disk)));
    }
    return std::nullopt;
}

Result<std::string> weight_difference(const Hierarchy& hierarchy, const Weighing& weighing, const DiskRecord& known) {
    const auto cgroup = Cgroup::open(hierarchy, known.point.cgroup);
    if (!cgroup) return cgroup.error();
    for (const auto& place : weighing.places()) {
        const auto value = kernel_weight(place.policy, known.wanted.weight.value_or(default_weight));
        const auto now = read_weight(*cgroup, place);
        if (!now) return now.error();
        if (*now != value) return fmt::format("the {} is {}, not {}", where(place), text(*now), value);
    }
    return std::string{};
}

} // namespace penstock
