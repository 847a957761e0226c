// SPDX-License-Identifier: Apache-2.0
#include "observe/weight_share.hpp"

#include "cgroup/cgroup.hpp"

#include <algorithm>

namespace penstock {
namespace {

constexpr int depth_cap = 16;

// A process in it or anywhere below.
bool is_populated(const Hierarchy& hierarchy, const Cgroup& cgroup, int depth = 0) {
    const auto processes = cgroup.processes();
    // v2: the processes of a threaded cgroup are listed in its domain; it exists because there are some.
    if (!processes || !processes->empty()) return true;
    const auto children = cgroup.children();
    if (!children || depth > depth_cap) return false;
    return std::any_of(children->begin(), children->end(), [&](const std::string& path) {
        const auto child = Cgroup::open(hierarchy, path);
        return child && is_populated(hierarchy, *child, depth + 1);
    });
}

} // namespace

std::optional<WeightShare> weight_share(const Hierarchy& hierarchy, const std::string& path, WeightPolicy policy,
                                        DeviceNumber device) {
    const auto own = Cgroup::open(hierarchy, path);
    const auto weight = own ? effective_weight(*own, policy, device) : std::nullopt;
    if (!weight) return std::nullopt;
    WeightShare share{.weight = *weight};
    for (auto level = path; level != "/"; level = parent_path(level)) {
        const auto here = Cgroup::open(hierarchy, level);
        const auto parent = Cgroup::open(hierarchy, parent_path(level));
        if (!here || !parent) return std::nullopt;
        const auto siblings = parent->children();
        const double ours = effective_weight(*here, policy, device).value_or(0);
        if (!siblings || ours == 0) return std::nullopt;
        double all = ours;
        for (const auto& sibling : *siblings) {
            if (sibling == level) continue;
            const auto cgroup = Cgroup::open(hierarchy, sibling);
            if (!cgroup || !is_populated(hierarchy, *cgroup)) continue;
            const auto theirs = effective_weight(*cgroup, policy, device);
            if (!theirs) continue; // v2: it has no io controller, so that its requests are its parent's
            all += *theirs;
            share.competitors.push_back({sibling, *theirs});
        }
        share.percent *= ours / all;
    }
    return share;
}

} // namespace penstock
