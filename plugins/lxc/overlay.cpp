// SPDX-License-Identifier: Apache-2.0
#include "overlay.hpp"

#include "mount_table.hpp"
#include "text.hpp"

#include <penstock/text.hpp>

namespace penstock::lxc {

namespace {

constexpr std::size_t lower_cap = 500; // the kernel's own limit

// Directories stand between colons; "\:" is a colon of a name, "::" announces data-only layers.
void split_lower(std::string_view list, std::vector<std::string>& out) {
    std::string one;
    const auto flush = [&] {
        if (!one.empty() && out.size() < lower_cap) out.push_back(one);
        one.clear();
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == '\\' && i + 1 < list.size())
            one += list[++i];
        else if (list[i] == ':')
            flush();
        else
            one += list[i];
    }
    flush();
}

} // namespace

OverlayDirectories parse_overlay(std::string_view super_options) {
    OverlayDirectories directories;
    for (auto option : sdk::split(super_options, ',')) {
        const auto key = take_until(option, '=');
        const auto value = unescape_octal(option);
        if (key == "upperdir")
            directories.upper = value;
        else if (key == "lowerdir")
            split_lower(value, directories.lower);
        else if ((key == "lowerdir+" || key == "datadir+") && directories.lower.size() < lower_cap)
            directories.lower.push_back(value);
    }
    return directories;
}

} // namespace penstock::lxc
