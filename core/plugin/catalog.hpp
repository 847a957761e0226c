// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "plugin/manifest.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// A plugin that was found. None of its code has been run.
struct PluginEntry {
    PluginManifest manifest;
    std::string library;
    std::optional<Error> refused; // why it is not loaded
};

// Every NAME.penstock.toml, with NAME.so beside it, in the order of the directories; a directory that is not there
// holds none. Two plugins of one id, or of one kind, are both refused, and each names the other: which one would win
// must not depend on an order of files.
std::vector<PluginEntry> find_plugins(const std::vector<std::string>& directories);

} // namespace penstock
