// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock::kvm {

// What /proc/PID/stat says, as far as it is needed.
struct ProcessStat {
    int pid = 0;
    std::string comm;
    char state = '?';
    int parent = 0;
    std::uint64_t start = 0; // clock ticks after boot

    bool ended() const { return state == 'Z' || state == 'X'; }
};

std::optional<ProcessStat> parse_stat(std::string_view text);
// `path` is relative to the /proc descriptor: "4711/stat", "4711/task/4712/stat".
std::optional<ProcessStat> read_stat(int proc, const char* path);
std::optional<ProcessStat> read_stat(int proc, int pid);

// "PID-START": tells one life of a process from another that was given the same number.
struct Incarnation {
    int pid = 0;
    std::uint64_t start = 0;
    std::string text() const;
};
std::optional<Incarnation> parse_incarnation(std::string_view text);

} // namespace penstock::kvm
