// SPDX-License-Identifier: Apache-2.0
#include "sys/process_cgroups.hpp"

#include "base/number.hpp"
#include "sys/file.hpp"

namespace penstock {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

} // namespace

std::vector<CgroupLine> parse_process_cgroups(std::string_view text) {
    std::vector<CgroupLine> lines;
    for (const auto& line : split(text, '\n')) {
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const auto hierarchy = parse_number<int>(std::string_view{line}.substr(0, first));
        if (!hierarchy) continue;
        lines.push_back({*hierarchy, split(std::string_view{line}.substr(first + 1, second - first - 1), ','),
                         line.substr(second + 1)});
    }
    return lines;
}

Result<std::vector<CgroupLine>> read_process_cgroups(const Roots& roots, pid_t pid, pid_t tid) {
    auto path = roots.proc + "/" + std::to_string(pid);
    if (tid != 0) path += "/task/" + std::to_string(tid);
    auto text = read_file(path + "/cgroup");
    if (!text) return text.error();
    return parse_process_cgroups(*text);
}

} // namespace penstock
