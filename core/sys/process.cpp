// SPDX-License-Identifier: Apache-2.0
#include "sys/process.hpp"

#include "base/number.hpp"
#include "sys/file.hpp"

#include <dirent.h>
#include <poll.h>
#include <sys/syscall.h>

#include <algorithm>
#include <memory>

namespace penstock {

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
    // The name is in parentheses and may itself hold any character, a closing parenthesis too: the last one ends it.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    ProcessStat stat;
    stat.comm = text.substr(open + 1, close - open - 1);
    std::vector<std::string_view> fields; // from field 3, the state, on
    for (auto rest = text.substr(close + 1); !rest.empty();) {
        const auto start = rest.find_first_not_of(" \n");
        if (start == std::string_view::npos) break;
        const auto end = std::min(rest.find_first_of(" \n", start), rest.size());
        fields.push_back(rest.substr(start, end - start));
        rest.remove_prefix(end);
    }
    if (fields.size() < 20 || fields[0].size() != 1) return std::nullopt;
    const auto parent = parse_number<pid_t>(fields[1]);
    const auto threads = parse_number<long>(fields[17]);
    const auto start_time = parse_number<std::uint64_t>(fields[19]);
    if (!parent || !threads || !start_time) return std::nullopt;
    stat.state = fields[0][0];
    stat.parent = *parent;
    stat.threads = *threads;
    stat.start_time = *start_time;
    return stat;
}

Result<ProcessStat> read_process_stat(const Roots& roots, pid_t pid) {
    const auto path = roots.proc + "/" + std::to_string(pid) + "/stat";
    auto text = read_file(path);
    if (!text) return text.error();
    auto stat = parse_process_stat(*text);
    if (!stat) return Error{ErrorCode::malformed, path + " cannot be understood"};
    return *std::move(stat);
}

Result<std::vector<pid_t>> read_threads(const Roots& roots, pid_t pid) {
    const auto path = roots.proc + "/" + std::to_string(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> directory{::opendir(path.c_str()), ::closedir};
    if (!directory) return Error::from_errno(errno, "listing " + path);
    std::vector<pid_t> threads;
    while (const auto* entry = ::readdir(directory.get()))
        if (const auto tid = parse_number<pid_t>(entry->d_name)) threads.push_back(*tid);
    std::sort(threads.begin(), threads.end());
    return threads;
}

Result<ProcessHandle> ProcessHandle::hold(const Roots& roots, pid_t pid, std::uint64_t start_time) {
    Fd fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
    if (!fd) return Error::from_errno(errno, "holding process " + std::to_string(pid));
    // Only now that the pid cannot be reused does its start time say whose it is.
    const auto stat = read_process_stat(roots, pid);
    if (!stat) return stat.error();
    if (stat->start_time != start_time)
        return Error{ErrorCode::gone,
                     "process " + std::to_string(pid) + " has ended, its pid belongs to another one now"};
    return ProcessHandle{std::move(fd), pid};
}

bool ProcessHandle::alive() const {
    pollfd poll{fd_.get(), POLLIN, 0};
    return ::poll(&poll, 1, 0) == 0;
}

} // namespace penstock
