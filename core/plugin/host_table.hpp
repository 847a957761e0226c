// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/host_options.hpp"

#include <penstock/plugin.h>

#include <shared_mutex>

namespace penstock {

// The host's side of the contract for one plugin. Never freed: a thread that the plugin left behind may still call it;
// after close() such a call does nothing.
class HostTable {
public:
    static HostTable& make(const HostOptions& options, std::string plugin_id);
    HostTable(const HostTable&) = delete;
    HostTable& operator=(const HostTable&) = delete;

    const penstock_host* contract() const { return &contract_; }
    void log(std::uint32_t level, std::string_view message) const;
    void close();

private:
    HostTable(const HostOptions& options, std::string plugin_id);
    std::int32_t config(std::string_view key, void* ctx, std::int32_t (*value)(void*, penstock_str)) const;

    std::string plugin_id_;
    HostOptions options_;
    penstock_host contract_{};
    mutable std::shared_mutex mutex_;
    bool open_ = true;
};

} // namespace penstock
