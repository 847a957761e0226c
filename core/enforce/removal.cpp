// SPDX-License-Identifier: Apache-2.0
#include "enforce/removal.hpp"

#include "cgroup/cgroup.hpp"
#include "cgroup/controls.hpp"

#include <unistd.h>

namespace penstock {
namespace {

Result<void> lift_all(const Cgroup& cgroup) {
    const auto devices = limited_devices(cgroup);
    if (!devices) return devices.error();
    for (const auto& device : *devices) {
        const auto now = read_limits(cgroup, device);
        if (!now) return now.error();
        for (const auto& write : control_writes(cgroup.version(), device, *now, {})) {
            auto written = cgroup.write(write.file, write.text);
            // A device that has gone has taken its rule with it.
            if (!written && written.error().sys_errno() != ENODEV) return written;
        }
    }
    return {};
}

} // namespace

Result<void> lift_and_remove(const Hierarchy& hierarchy, const std::string& path) {
    const auto cgroup = Cgroup::open(hierarchy, path);
    if (!cgroup) return cgroup.error().sys_errno() == ENOENT ? Result<void>{} : cgroup.error();
    if (auto lifted = lift_all(*cgroup); !lifted) return lifted;
    if (::rmdir(cgroup->directory().c_str()) != 0 && errno != ENOENT)
        return Error::from_errno(errno, "removing cgroup " + cgroup->directory());
    return {};
}

Result<void> lift_all_if_empty(const Hierarchy& hierarchy, const std::string& path) {
    const auto cgroup = Cgroup::open(hierarchy, path);
    if (!cgroup) return cgroup.error();
    const auto processes = cgroup->processes();
    if (!processes) return processes.error();
    return processes->empty() ? lift_all(*cgroup) : Result<void>{};
}

} // namespace penstock
