// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::lxc {

// A line of /proc/PID/mountinfo.
struct Mount {
    std::uint64_t id = 0;
    std::uint32_t major = 0, minor = 0;
    std::string root;  // what of the file system is mounted
    std::string point; // as the process sees it
    bool read_only = false;
    std::string type;
    std::string source;
    std::string super_options;
};

std::vector<Mount> parse_mountinfo(std::string_view text);

// \040 and its kin, as the kernel writes blanks, tabs, newlines and backslashes.
std::string unescape_octal(std::string_view text);

} // namespace penstock::lxc
