// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <cstdio>
#include <dirent.h>

namespace penstock::lxc {

namespace {

constexpr std::size_t process_cap = 200'000;
constexpr std::size_t command_line_cap = 16 * 1024;

struct Path {
    char text[64];
    Path(int pid, const char* file) { std::snprintf(text, sizeof text, "%d/%s", pid, file); }
};

} // namespace

std::vector<int> Processes::all() const {
    std::vector<int> pids;
    for (const auto& entry : root_.entries(process_cap)) {
        if (const auto pid = sdk::number<int>(entry.name)) pids.push_back(*pid);
    }
    std::sort(pids.begin(), pids.end());
    return pids;
}

std::vector<int> Processes::children(int pid) const {
    char path[64];
    std::snprintf(path, sizeof path, "%d/task/%d/children", pid, pid);
    std::vector<int> pids;
    if (const auto text = root_.read(path)) {
        for (const auto word : sdk::split(*text, ' ')) {
            if (const auto child = sdk::number<int>(word)) pids.push_back(*child);
        }
    }
    return pids;
}

std::optional<sdk::ProcessStat> Processes::stat(int pid) const { return sdk::read_process_stat(root_.fd(), pid); }

std::optional<std::string> Processes::command_line(int pid) const {
    auto text = root_.read_piece(Path{pid, "cmdline"}.text);
    if (text && text->size() > command_line_cap) text->resize(command_line_cap);
    return text;
}

std::optional<std::string> Processes::cgroups(int pid) const { return root_.read_piece(Path{pid, "cgroup"}.text); }

std::optional<uid_t> Processes::owner(int pid) const { return root_.owner(Path{pid, ""}.text); }

std::optional<std::string> Processes::mount_namespace(int pid) const { return root_.link(Path{pid, "ns/mnt"}.text); }

std::optional<int> Processes::pid_namespace_depth(int pid) const {
    const auto status = root_.read(Path{pid, "status"}.text);
    if (!status) return std::nullopt;
    // The name in the first line is escaped by the kernel, so no process can put a line of its own here.
    for (const auto line : sdk::split(*status, '\n')) {
        if (line.starts_with("NSpid:")) return static_cast<int>(std::count(line.begin(), line.end(), '\t')) - 1;
    }
    return std::nullopt;
}

} // namespace penstock::lxc
