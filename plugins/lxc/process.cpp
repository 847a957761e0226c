// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "text.hpp"

#include <algorithm>
#include <cstdio>
#include <dirent.h>

namespace penstock::lxc {

namespace {

constexpr std::size_t process_cap = 200'000;
constexpr std::size_t command_line_cap = 16 * 1024;
constexpr unsigned long flag_forked_only = 0x40; // PF_FORKNOEXEC

struct Path {
    char text[64];
    Path(int pid, const char* file) { std::snprintf(text, sizeof text, "%d/%s", pid, file); }
};

} // namespace

std::optional<ProcessStat> parse_stat(std::string_view text) {
    // comm is chosen by the process and may hold ") R 1 ": the last parenthesis is the kernel's.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open || open == 0)
        return std::nullopt;
    const auto pid = number<int>(text.substr(0, open - 1));
    const auto fields = split(text.substr(std::min(close + 2, text.size())), ' ');
    if (!pid || fields.size() < 20 || fields[0].size() != 1) return std::nullopt;
    const auto parent = number<int>(fields[1]);
    const auto flags = number<unsigned long>(fields[6]);
    const auto start = number<std::uint64_t>(fields[19]);
    if (!parent || !flags || !start) return std::nullopt;
    return ProcessStat{*pid,
                       std::string{text.substr(open + 1, close - open - 1)},
                       fields[0][0],
                       *parent,
                       (*flags & flag_forked_only) != 0,
                       *start};
}

std::vector<int> Processes::all() const {
    std::vector<int> pids;
    for (const auto& entry : root_.entries(process_cap)) {
        if (const auto pid = number<int>(entry.name)) pids.push_back(*pid);
    }
    std::sort(pids.begin(), pids.end());
    return pids;
}

std::vector<int> Processes::children(int pid) const {
    char path[64];
    std::snprintf(path, sizeof path, "%d/task/%d/children", pid, pid);
    std::vector<int> pids;
    if (const auto text = root_.read(path)) {
        for (const auto word : split(*text, ' ')) {
            if (const auto child = number<int>(word)) pids.push_back(*child);
        }
    }
    return pids;
}

std::optional<ProcessStat> Processes::stat(int pid) const {
    const auto text = root_.read_piece(Path{pid, "stat"}.text);
    return text ? parse_stat(*text) : std::nullopt;
}

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
    for (const auto line : split(*status, '\n')) {
        if (line.starts_with("NSpid:")) return static_cast<int>(std::count(line.begin(), line.end(), '\t')) - 1;
    }
    return std::nullopt;
}

} // namespace penstock::lxc
