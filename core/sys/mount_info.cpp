// SPDX-License-Identifier: Apache-2.0
#include "sys/mount_info.hpp"

#include "base/number.hpp"
#include "sys/file.hpp"

#include <algorithm>

namespace penstock {
namespace {

// The kernel writes space, tab, newline, backslash and # as three octal digits.
std::string unescape(std::string_view text) {
    const auto octal = [](char c) { return c >= '0' && c <= '7'; };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) && octal(text[i + 3])) {
            out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> out;
    while (!line.empty()) {
        const auto end = std::min(line.find(' '), line.size());
        out.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return out;
}

} // namespace

std::optional<Mount> parse_mount(std::string_view line) {
    const auto fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    // id parent maj:min root mount_point options [optional...] - type source super_options
    if (fields.size() < 9 || dash - fields.begin() < 6 || fields.end() - dash < 3) return std::nullopt;
    const auto colon = fields[2].find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto id = parse_number<int>(fields[0]);
    const auto parent = parse_number<int>(fields[1]);
    const auto major = parse_number<std::uint32_t>(fields[2].substr(0, colon));
    const auto minor = parse_number<std::uint32_t>(fields[2].substr(colon + 1));
    if (!id || !parent || !major || !minor) return std::nullopt;
    Mount mount;
    mount.id = *id;
    mount.parent = *parent;
    mount.device = {*major, *minor};
    mount.root = unescape(fields[3]);
    mount.mount_point = unescape(fields[4]);
    mount.options = fields[5];
    mount.fs_type = unescape(dash[1]);
    mount.source = unescape(dash[2]);
    if (fields.end() - dash > 3) mount.super_options = unescape(dash[3]);
    return mount;
}

Result<std::vector<Mount>> read_mounts(const Roots& roots, pid_t pid) {
    const auto path = roots.proc + "/" + (pid == 0 ? "self" : std::to_string(pid)) + "/mountinfo";
    const auto text = read_file(path);
    if (!text) return text.error();
    std::vector<Mount> mounts;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        if (auto mount = parse_mount(rest.substr(0, end))) mounts.push_back(*std::move(mount));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return mounts;
}

} // namespace penstock
