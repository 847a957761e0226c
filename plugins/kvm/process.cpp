// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "file.hpp"
#include "text.hpp"

namespace penstock::kvm {

std::optional<ProcessStat> parse_stat(std::string_view text) {
    // comm is the process's own choice and may hold ") R 1 ": the last parenthesis is the kernel's.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || open < 2 || close + 2 > text.size())
        return std::nullopt;
    const auto fields = split(text.substr(close + 2), ' ');
    if (fields.size() < 20 || fields[0].size() != 1) return std::nullopt;
    const auto pid = number<int>(text.substr(0, open - 1));
    const auto parent = number<int>(fields[1]);
    const auto start = number<std::uint64_t>(fields[19]);
    if (!pid || !parent || !start) return std::nullopt;
    return ProcessStat{*pid, std::string{text.substr(open + 1, close - open - 1)}, fields[0][0], *parent, *start};
}

std::optional<ProcessStat> read_stat(int proc, const char* path) {
    const auto text = read_file(proc, path, 4096);
    return text ? parse_stat(*text) : std::nullopt;
}

std::optional<ProcessStat> read_stat(int proc, int pid) {
    return read_stat(proc, (std::to_string(pid) + "/stat").c_str());
}

std::string Incarnation::text() const { return std::to_string(pid) + "-" + std::to_string(start); }

std::optional<Incarnation> parse_incarnation(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto pid = number<int>(text.substr(0, dash));
    const auto start = number<std::uint64_t>(text.substr(dash + 1));
    if (!pid || !start || *pid <= 0) return std::nullopt;
    return Incarnation{*pid, *start};
}

} // namespace penstock::kvm
