// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/plugin.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// The plugins of this host. None is loaded before it is asked for. Thread-safe.
class PluginSet {
public:
    PluginSet(const std::vector<std::string>& directories, HostOptions options);

    const std::vector<PluginEntry>& entries() const { return entries_; }

    // Loads on demand; a success and a failure are both remembered.
    Result<Plugin*> get(const PluginEntry& entry);
    // The plugin for a kind of instance; nullptr where there is none that can be used.
    Plugin* find(std::string_view kind);

private:
    std::vector<PluginEntry> entries_;
    HostOptions options_;
    std::mutex mutex_;
    std::map<std::string, Result<std::unique_ptr<Plugin>>> loaded_; // by library
};

} // namespace penstock
