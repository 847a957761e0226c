// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"

#include <penstock/process.hpp>

#include <optional>
#include <string>
#include <vector>

namespace penstock::lxc {

// The processes below a /proc.
class Processes {
public:
    explicit Processes(const std::string& proc_root) : root_{proc_root} {}

    const Directory& root() const noexcept { return root_; }
    Directory open(int pid) const { return root_.open(std::to_string(pid)); }

    std::vector<int> all() const;
    // Children of the main thread alone: an LXC monitor has no other.
    std::vector<int> children(int pid) const;
    std::optional<sdk::ProcessStat> stat(int pid) const;
    std::optional<std::string> command_line(int pid) const;
    std::optional<std::string> cgroups(int pid) const;
    std::optional<uid_t> owner(int pid) const;
    std::optional<std::string> mount_namespace(int pid) const;
    // How many pid namespaces below this /proc the process lives; 0: in the one that /proc shows.
    std::optional<int> pid_namespace_depth(int pid) const;

private:
    Directory root_;
};

} // namespace penstock::lxc
