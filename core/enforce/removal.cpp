// SPDX-License-Identifier: Apache-2.0
#include "enforce/removal.hpp"

#include "cgroup/cgroup.hpp"
#include "cgroup/controls.hpp"
#include "sys/process.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace penstock {
namespace {

// Whether each of them has ended.
bool all_ending(const std::vector<pid_t>& pids) {
    return std::all_of(pids.begin(), pids.end(), [](pid_t pid) {
        const auto stat = read_process_stat({}, pid);
        return !stat || stat->state == 'Z' || stat->state == 'X';
    });
}

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

// A process that has just been killed keeps its cgroup busy for some milliseconds after it has left cgroup.procs.
Result<void> remove_when_free(const Cgroup& cgroup) {
    for (int attempt = 0;; ++attempt) {
        if (::rmdir(cgroup.directory().c_str()) == 0 || errno == ENOENT) return {};
        const int error = errno;
        const auto processes = cgroup.processes();
        const bool ending = error == EBUSY && processes && all_ending(*processes);
        if (!ending || attempt == 100) return Error::from_errno(error, "removing cgroup " + cgroup.directory());
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

} // namespace

Result<void> lift_and_remove(const Hierarchy& hierarchy, const std::string& path) {
    const auto cgroup = Cgroup::open(hierarchy, path);
    if (!cgroup) return cgroup.error().sys_errno() == ENOENT ? Result<void>{} : cgroup.error();
    if (auto lifted = lift_all(*cgroup); !lifted) return lifted;
    return remove_when_free(*cgroup);
}

Result<void> lift_all_if_empty(const Hierarchy& hierarchy, const std::string& path) {
    const auto cgroup = Cgroup::open(hierarchy, path);
    if (!cgroup) return cgroup.error();
    const auto processes = cgroup->processes();
    if (!processes) return processes.error();
    return processes->empty() ? lift_all(*cgroup) : Result<void>{};
}

} // namespace penstock
