// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::lxc {

// The directories that an overlay is made of.
struct OverlayDirectories {
    std::optional<std::string> upper; // gets every write; none: read-only
    std::vector<std::string> lower;   // topmost first
};

// super_options: of a mountinfo line, still escaped.
OverlayDirectories parse_overlay(std::string_view super_options);

} // namespace penstock::lxc
