// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view name(Severity severity);

// One thing that keeps limits from working.
struct Finding {
    Severity severity = Severity::note;
    std::string check;    // stable id: "cgroup.hierarchy"
    std::string subject;  // the host, an instance, a disk
    std::string evidence; // what was seen
    std::string effect;   // what it means for limits
    std::string remedy;
};

using Findings = std::vector<Finding>;

} // namespace penstock
