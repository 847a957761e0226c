// SPDX-License-Identifier: Apache-2.0
//
// penstock/process.hpp - what /proc/PID/stat says of a process, and the incarnation of an instance that is one.
// Every function may be called from any thread, throws nothing of its own and works with -fno-exceptions.
#ifndef PENSTOCK_PROCESS_HPP
#define PENSTOCK_PROCESS_HPP

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>
#include <penstock/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {
namespace sdk PENSTOCK_HIDDEN {
inline namespace v1 {

struct ProcessStat {
    int pid = 0;      // of a thread's stat: its tid
    std::string comm; // the process's own choice: hostile, and not always UTF-8
    char state = '?'; // 'R', 'S', 'D', 'T', 'Z', ...: man proc_pid_stat
    int parent = 0;
    bool forked_only = false;   // has not called execve since it was forked
    bool kernel_thread = false; // no process can pretend that, whatever it is called
    std::uint64_t start = 0;    // clock ticks after boot: what penstock_instance and penstock_actor take

    bool ended() const noexcept { return state == 'Z' || state == 'X'; }
};

// Nothing where the text is not a whole stat line.
inline std::optional<ProcessStat> parse_process_stat(std::string_view text) {
    // comm may hold ") R 1 ": the last parenthesis is the kernel's.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || open < 2 || close < open ||
        close + 2 > text.size())
        return std::nullopt;
    const auto fields = split(text.substr(close + 2), ' ');
    if (fields.size() < 20 || fields[0].size() != 1) return std::nullopt;
    const auto pid = number<int>(text.substr(0, open - 1));
    const auto parent = number<int>(fields[1]);
    const auto flags = number<std::uint64_t>(fields[6]);
    const auto start = number<std::uint64_t>(fields[19]);
    if (!pid || !parent || !flags || !start) return std::nullopt;
    constexpr std::uint64_t forked_only = 0x40, kernel_thread = 0x200000; // PF_FORKNOEXEC, PF_KTHREAD
    return ProcessStat{*pid,
                       std::string{text.substr(open + 1, close - open - 1)},
                       fields[0][0],
                       *parent,
                       (*flags & forked_only) != 0,
                       (*flags & kernel_thread) != 0,
                       *start};
}

// `path` is relative to `directory`: "4711/stat" or "4711/task/4712/stat" below a /proc, "stat" below a /proc/PID.
// Nothing where it has ended or the line cannot be understood. A zombie is still there: see ended().
inline std::optional<ProcessStat> read_process_stat(int directory, const char* path) {
    const auto text = read_file(directory, path, 4096, {.one_piece = true});
    return text ? parse_process_stat(*text) : std::nullopt;
}
inline std::optional<ProcessStat> read_process_stat(int proc, int pid) {
    return read_process_stat(proc, (std::to_string(pid) + "/stat").c_str());
}

// "PID-START", for penstock_key::incarnation: tells one life of a process from another that was given the same number.
// To act on the process, open its /proc/PID or a pidfd first and compare `start` then: only what is held stays the
// same.
struct Incarnation {
    int pid = 0;
    std::uint64_t start = 0; // ProcessStat::start

    std::string text() const { return std::to_string(pid) + "-" + std::to_string(start); }
};

// Nothing where the text is not what Incarnation::text() gives of a pid above 0.
inline std::optional<Incarnation> parse_incarnation(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto pid = number<int>(text.substr(0, dash));
    const auto start = number<std::uint64_t>(text.substr(dash + 1));
    if (!pid || !start || *pid <= 0) return std::nullopt;
    return Incarnation{*pid, *start};
}

} // namespace v1
} // namespace PENSTOCK_HIDDEN
} // namespace penstock

#endif // PENSTOCK_PROCESS_HPP
