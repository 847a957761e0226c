// SPDX-License-Identifier: Apache-2.0
#include "observe/weight_checks.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"
#include "cgroup/weight.hpp"
#include "resolve/address.hpp"

#include <fmt/format.h>

#include <array>

namespace penstock {
namespace {

// "io.weight 500" where the cgroup has a weight that is not the kernel's own.
std::string unusual_weight(const Cgroup& cgroup, DeviceNumber device) {
    for (const auto policy : {WeightPolicy::iocost, WeightPolicy::bfq, WeightPolicy::cfq})
        if (const auto weight = effective_weight(cgroup, policy, device); weight && *weight != kernel_default(policy))
            return fmt::format("a weight of {} for {}", *weight, name(policy));
    return {};
}

} // namespace

void check_weights(Inventory& inventory, const InstanceView& view, std::span<const DiskStatus> disks,
                   Findings& findings) {
    const auto& hierarchy = inventory.hierarchy();
    if (!hierarchy || !view.placement || view.placement->obstacle || view.placement->create) return;
    const auto cgroup = Cgroup::open(*hierarchy, view.placement->cgroup);
    if (!cgroup) return;
    for (const auto& status : disks) {
        const auto& device = view.find(status.disk)->chain.device;
        // One of ours has a verdict, which says it all.
        if (!device || (status.wanted && status.wanted->weight)) continue;
        const auto evidence = unusual_weight(*cgroup, device->number);
        if (evidence.empty()) continue;
        const auto weighing = weigh(inventory.roots(), *hierarchy, *device);
        if (!weighing.ineffective) continue;
        findings.push_back({Severity::warning, "weight.ignored", address_of(view.instance, status.disk),
                            fmt::format("{} has {}", printable(cgroup->directory()), evidence),
                            weighing.ineffective->reason, weighing.ineffective->remedy});
    }
}

} // namespace penstock
