// SPDX-License-Identifier: Apache-2.0
#include "mount_table.hpp"

#include "text.hpp"

#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::lxc {

namespace {

constexpr std::size_t mounts_cap = 100'000;

std::optional<Mount> parse_line(std::string_view line) {
    // ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPER_OPTIONS
    const auto fields = sdk::split(line, ' ');
    if (fields.size() < 10) return std::nullopt;
    const auto dash = std::find(fields.begin() + 6, fields.end(), "-");
    if (fields.end() - dash < 4) return std::nullopt;
    const auto id = sdk::number<std::uint64_t>(fields[0]);
    const auto device = sdk::split(fields[2], ':');
    if (!id || device.size() != 2) return std::nullopt;
    const auto major = sdk::number<std::uint32_t>(device[0]), minor = sdk::number<std::uint32_t>(device[1]);
    if (!major || !minor) return std::nullopt;
    Mount mount;
    mount.id = *id;
    mount.major = *major;
    mount.minor = *minor;
    mount.root = unescape_octal(fields[3]);
    mount.point = unescape_octal(fields[4]);
    mount.type = unescape_octal(dash[1]);
    mount.source = unescape_octal(dash[2]);
    mount.super_options = std::string{dash[3]}; // still escaped: an escaped comma is no separator
    const auto is_ro = [](std::string_view options) { return take_until(options, ',') == "ro"; };
    mount.read_only = is_ro(fields[5]) || is_ro(dash[3]);
    return mount;
}

} // namespace

std::string unescape_octal(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            const auto code = sdk::number<unsigned>(text.substr(i + 1, 3), 8);
            if (code && *code < 256) {
                out += static_cast<char>(*code);
                i += 3;
                continue;
            }
        }
        out += text[i];
    }
    return out;
}

std::vector<Mount> parse_mountinfo(std::string_view text) {
    std::vector<Mount> mounts;
    while (!text.empty() && mounts.size() < mounts_cap) {
        if (auto mount = parse_line(take_until(text, '\n'))) mounts.push_back(std::move(*mount));
    }
    return mounts;
}

} // namespace penstock::lxc
