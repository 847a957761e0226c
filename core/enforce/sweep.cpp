// SPDX-License-Identifier: Apache-2.0
#include "enforce/sweep.hpp"

#include "cgroup/cgroup.hpp"
#include "enforce/removal.hpp"
#include "resolve/cgroup_name.hpp"

namespace penstock {

void sweep(const Hierarchy& hierarchy) {
    // Every cgroup below ours belongs to an instance; one without processes belongs to one that has ended.
    const auto ours = Cgroup::open(hierarchy, std::string{own_cgroup});
    if (!ours) return;
    const auto children = ours->children();
    if (!children) return;
    for (const auto& child : *children) {
        const auto cgroup = Cgroup::open(hierarchy, child);
        const auto processes = cgroup ? cgroup->processes() : Result<std::vector<pid_t>>{cgroup.error()};
        if (processes && processes->empty()) (void)lift_and_remove(hierarchy, child);
    }
    const auto rest = ours->children();
    if (rest && rest->empty()) (void)lift_and_remove(hierarchy, std::string{own_cgroup});
}

} // namespace penstock
