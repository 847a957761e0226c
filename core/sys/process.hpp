// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"
#include "sys/roots.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// What /proc/PID/stat says, as far as it is needed (man proc_pid_stat).
struct ProcessStat {
    std::string comm;
    char state = '?';
    pid_t parent = 0;
    long threads = 0;
    std::uint64_t start_time = 0; // clock ticks after boot; with the pid it names a process for good
};

std::optional<ProcessStat> parse_process_stat(std::string_view text);
Result<ProcessStat> read_process_stat(const Roots& roots, pid_t pid);
Result<std::vector<pid_t>> read_threads(const Roots& roots, pid_t pid);

// Holds a process by a pidfd: its pid cannot be reused for as long as this lives.
class ProcessHandle {
public:
    // GONE where `pid` has ended or is another process than the one that started at `start_time`.
    static Result<ProcessHandle> hold(const Roots& roots, pid_t pid, std::uint64_t start_time);

    pid_t pid() const { return pid_; }
    bool alive() const;

private:
    ProcessHandle(Fd fd, pid_t pid) : fd_{std::move(fd)}, pid_{pid} {}
    Fd fd_;
    pid_t pid_;
};

} // namespace penstock
