// SPDX-License-Identifier: Apache-2.0
#include "mounts.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <cstddef>

namespace systemd {
namespace {

using penstock::sdk::number;
using penstock::sdk::split;

// mountinfo writes blanks, tabs, newlines and backslashes as \ooo.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digits = text.substr(std::min(i + 1, text.size()), 3);
        const bool octal = text[i] == '\\' && digits.size() == 3 &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '7'; });
        if (!octal) {
            out += text[i];
            continue;
        }
        out += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
        i += 3;
    }
    return out;
}

bool has_option(std::string_view options, std::string_view wanted) {
    const auto words = split(options, ',');
    return std::find(words.begin(), words.end(), wanted) != words.end();
}

} // namespace

std::vector<FileSystem> file_systems(std::string_view mountinfo) {
    std::vector<FileSystem> out;
    for (const auto line : split(mountinfo, '\n')) {
        // 36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda1 rw: any number of fields before the dash.
        const auto dash = line.find(" - ");
        if (dash == std::string_view::npos) continue;
        const auto before = split(line.substr(0, dash), ' '), after = split(line.substr(dash + 3), ' ');
        if (before.size() < 6 || after.size() < 2 || !after[1].starts_with("/dev/")) continue;
        const auto colon = before[2].find(':');
        if (colon == std::string_view::npos) continue;
        const auto major = number<std::uint32_t>(before[2].substr(0, colon));
        const auto minor = number<std::uint32_t>(before[2].substr(colon + 1));
        if (!major || !minor) continue;
        const bool known = std::any_of(
            out.begin(), out.end(), [&](const FileSystem& one) { return one.major == *major && one.minor == *minor; });
        if (!known)
            out.push_back({unescaped(before[4]), std::string{after[0]}, unescaped(after[1]), *major, *minor,
                           has_option(before[5], "ro")});
    }
    return out;
}

} // namespace systemd
