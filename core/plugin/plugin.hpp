// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/actor.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "model/limits.hpp"
#include "plugin/catalog.hpp"
#include "plugin/records.hpp"

#include <penstock/plugin.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// What the host gives to its plugins.
struct HostOptions {
    std::string proc_root = "/proc", sys_root = "/sys", run_root = "/run";
    std::function<void(std::uint32_t level, std::string_view plugin, std::string_view message)> log; // any thread
    std::function<std::optional<std::string>(std::string_view plugin, std::string_view key)> config;
};

// One loaded plugin: calls in terms of the model. Its functions may be called from any thread; calls to a plugin whose thread
// model is SERIAL wait for each other.
class Plugin {
public:
    // Runs the plugin's code for the first time: load, check, describe, create.
    static Result<std::unique_ptr<Plugin>> load(const PluginEntry& entry, const HostOptions& options);
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    const PluginManifest& manifest() const { return manifest_; }

    Result<std::vector<ProbeLine>> probe(Deadline deadline);
    Result<Listing<Instance>> instances(Deadline deadline);
    Result<Listing<Disk>> disks(const InstanceKey& key, Deadline deadline);
    Result<Listing<Actor>> actors(const InstanceKey& key, Deadline deadline);

    // UNSUPPORTED where the plugin has no native limiter.
    Result<std::vector<FieldSupport>> native_support(const InstanceKey& key, const std::string& disk, Deadline deadline);
    Result<Limits> native_read(const InstanceKey& key, const std::string& disk, Deadline deadline);
    Result<Limits> native_apply(const InstanceKey& key, const std::string& disk, const Limits& wanted, Deadline deadline);
    Result<Limits> native_clear(const InstanceKey& key, const std::string& disk, const LimitFields& fields, Deadline deadline);

private:
    Plugin(const PluginEntry& entry, const HostOptions& options);
    Result<void> start();
    std::unique_lock<std::mutex> turn();
    Result<const penstock_native_limit_v1*> native() const;
    template <class Item, class Record, class Call>
    Result<Listing<Item>> collect(Deadline deadline, Call call);
    template <class Call>
    Result<Limits> one_limit(Deadline deadline, Call call);

    PluginManifest manifest_;
    std::string library_;
    HostOptions options_;
    penstock_host host_{};
    penstock_plugin_entry entry_{};
    penstock_core_v1 core_{};
    penstock_native_limit_v1 native_{}; // struct_size 0: not offered
    void* self_ = nullptr;
    bool serial_ = true;
    std::mutex mutex_;
    std::atomic<std::uint64_t> requests_{0};
};

} // namespace penstock
