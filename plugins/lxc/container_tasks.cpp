// SPDX-License-Identifier: Apache-2.0
#include "container_tasks.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <dirent.h>
#include <unordered_map>

namespace penstock::lxc {

namespace {

constexpr int depth_cap = 32;
constexpr std::size_t entries_cap = 10'000;
constexpr std::size_t processes_cap = 100'000;

void walk(const Directory& cgroup, int depth, std::vector<int>& pids, bool& complete) {
    if (const auto text = cgroup.read("cgroup.procs")) {
        for (const auto line : sdk::split(*text, '\n')) {
            // 0: a process that this pid namespace cannot see.
            if (const auto pid = sdk::number<int>(line); pid && *pid > 0) pids.push_back(*pid);
        }
    }
    const auto entries = cgroup.entries(entries_cap);
    if (depth == depth_cap || entries.size() == entries_cap || pids.size() > processes_cap) {
        complete = false;
        return;
    }
    for (const auto& entry : entries) {
        if (entry.type != DT_DIR) continue;
        if (const auto below = cgroup.open_beneath(entry.name)) walk(below, depth + 1, pids, complete);
    }
}

} // namespace

std::vector<int> processes_below(const Directory& cgroup, bool& complete) {
    std::vector<int> pids;
    if (cgroup) walk(cgroup, 0, pids, complete);
    std::sort(pids.begin(), pids.end());
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    if (pids.size() > processes_cap) pids.resize(processes_cap);
    return pids;
}

std::vector<int> descendants_of(const Processes& processes, int ancestor) {
    std::unordered_multimap<int, int> children;
    for (const int pid : processes.all()) {
        if (const auto stat = processes.stat(pid)) children.emplace(stat->parent, pid);
    }
    std::vector<int> found{ancestor};
    // Bounded: pids are recycled while this runs, so what was read need not be a tree.
    for (std::size_t i = 0; i < found.size() && found.size() <= children.size(); ++i) {
        const auto [first, last] = children.equal_range(found[i]);
        for (auto child = first; child != last; ++child) found.push_back(child->second);
    }
    found.erase(found.begin());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace penstock::lxc
