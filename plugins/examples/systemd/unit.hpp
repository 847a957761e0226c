// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/file.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace systemd {

// A service or scope that runs, as systemd keeps it in the cgroup tree.
struct Unit {
    std::string name;           // "nginx.service"
    std::string cgroup;         // "/system.slice/nginx.service"
    std::uint64_t inode = 0;    // of the cgroup's folder: another one after each start
    std::vector<int> processes; // of the unit and of all below it, at least one
};

// Where systemd keeps its units below `sys`: "fs/cgroup" (v2), "fs/cgroup/systemd" (v1) or "fs/cgroup/unified"
// (hybrid); nothing where no unit is to be seen.
std::optional<std::string> unit_tree(const std::string& sys);

// Calls `use` with each unit below `tree`, until it returns false. Slices are walked through, and so is what is not a
// unit.
void for_each_unit(const std::string& tree, const std::function<bool(const Unit&)>& use);

// The unit of that cgroup; nothing where it has ended.
std::optional<Unit> read_unit(const std::string& tree, const std::string& cgroup);

} // namespace systemd
