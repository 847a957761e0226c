// SPDX-License-Identifier: Apache-2.0
#include "plugin/host_table.hpp"

#include "base/text.hpp"
#include "plugin/convert.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

namespace penstock {

HostTable& HostTable::make(const HostOptions& options, std::string plugin_id) {
    static std::mutex mutex;
    static auto& kept = *new std::vector<HostTable*>;
    auto* table = new HostTable{options, std::move(plugin_id)};
    const std::lock_guard lock{mutex};
    kept.push_back(table);
    return *table;
}

// No function of the table lets an exception pass: its callers are C, or built by another compiler.
HostTable::HostTable(const HostOptions& options, std::string plugin_id)
    : plugin_id_{std::move(plugin_id)}, options_{options} {
    contract_.struct_size = sizeof contract_;
    contract_.abi_major = PENSTOCK_ABI_MAJOR;
    contract_.abi_minor = PENSTOCK_ABI_MINOR;
    contract_.ctx = this;
    contract_.proc_root = borrow(options_.proc_root);
    contract_.sys_root = borrow(options_.sys_root);
    contract_.run_root = borrow(options_.run_root);
    contract_.log = [](void* ctx, std::uint32_t level, penstock_str message) {
        try {
            static_cast<HostTable*>(ctx)->log(level, view_of(message));
        } catch (...) {
        }
    };
    contract_.monotonic_ns = [](void*) -> std::uint64_t {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    };
    contract_.config = [](void* ctx, penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str)) {
        try {
            return static_cast<HostTable*>(ctx)->config(view_of(key), value_ctx, value);
        } catch (...) {
            return PENSTOCK_E_INTERNAL;
        }
    };
    contract_.get_extension = [](void*, const char*) -> const void* { return nullptr; };
}

void HostTable::log(std::uint32_t level, std::string_view message) const {
    const std::shared_lock lock{mutex_};
    if (open_ && options_.log) options_.log(std::min(level, PENSTOCK_LOG_ERROR), plugin_id_, printable(message));
}

std::int32_t HostTable::config(std::string_view key, void* ctx, std::int32_t (*value)(void*, penstock_str)) const {
    std::optional<std::string> found;
    {
        const std::shared_lock lock{mutex_};
        if (open_ && options_.config) found = options_.config(plugin_id_, key);
    }
    if (!found || value == nullptr) return PENSTOCK_E_NOT_PRESENT;
    return value(ctx, borrow(*found));
}

void HostTable::close() {
    const std::unique_lock lock{mutex_};
    open_ = false;
}

} // namespace penstock
