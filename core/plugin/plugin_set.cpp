// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin_set.hpp"

#include <algorithm>

namespace penstock {

PluginSet::PluginSet(const std::vector<std::string>& directories, HostOptions options)
    : entries_{find_plugins(directories)}, options_{std::move(options)} {}

Result<Plugin*> PluginSet::get(const PluginEntry& entry) {
    const std::lock_guard lock{mutex_};
    auto found = loaded_.find(entry.library);
    if (found == loaded_.end()) found = loaded_.emplace(entry.library, Plugin::load(entry, options_)).first;
    if (!found->second) return found->second.error();
    return found->second->get();
}

Plugin* PluginSet::find(std::string_view kind) {
    for (const auto& entry : entries_) {
        const auto& kinds = entry.manifest.kinds;
        if (entry.refused || std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
        const auto plugin = get(entry);
        return plugin ? *plugin : nullptr;
    }
    return nullptr;
}

} // namespace penstock
