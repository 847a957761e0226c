// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/actor.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "model/limits.hpp"
#include "plugin/catalog.hpp"
#include "plugin/host_options.hpp"
#include "plugin/host_table.hpp"
#include "plugin/records.hpp"
#include "plugin/remote.hpp"
#include "plugin/tables.hpp"
#include "plugin/turns.hpp"

#include <penstock/plugin.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace penstock {

// One loaded plugin: calls in terms of the model. Its functions may be called from any thread; they wait for each other
// where the plugin's thread model asks for it.
//
// An error is the whole answer: GONE, TIMEOUT and so on. A Listing keeps what could be read, and says in `incomplete`
// why there may be more: the plugin said PARTIAL, or a record of it was not valid and has been left out.
class Plugin {
public:
    // Runs the plugin's code for the first time: load, check, describe, create; in this process, or in one of its own.
    static Result<std::unique_ptr<Plugin>> load(const PluginEntry& entry, const HostOptions& options);
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    const PluginManifest& manifest() const { return manifest_; }

    // What could not be read is a broken line of its own.
    Result<std::vector<ProbeLine>> probe(Deadline deadline);
    Result<Listing<Instance>> instances(Deadline deadline);
    Result<Listing<Disk>> disks(const InstanceKey& key, Deadline deadline);
    Result<Listing<Actor>> actors(const InstanceKey& key, Deadline deadline);

    // Where it has none, each of the four is UNSUPPORTED.
    bool has_native_limit() const { return native_.struct_size != 0; }
    Result<std::vector<FieldSupport>> native_support(const InstanceKey& key, const std::string& disk,
                                                     Deadline deadline);
    Result<Limits> native_read(const InstanceKey& key, const std::string& disk, Deadline deadline);
    Result<Limits> native_apply(const InstanceKey& key, const std::string& disk, const Limits& wanted,
                                Deadline deadline);
    Result<Limits> native_clear(const InstanceKey& key, const std::string& disk, const LimitFields& fields,
                                Deadline deadline);

private:
    struct Operation;
    Plugin(const PluginEntry& entry, const HostOptions& options);
    Result<void> start();
    Result<void> start_apart(const HostOptions& options);
    Result<void> compare(const Description& own) const;
    Error without_native_limit() const;
    template <class Item, class Record, class Call>
    Result<Listing<Item>> collect(const Operation& operation, Call call,
                                  std::function<std::optional<Error>(const Item&)> check = {});
    template <class Call>
    Result<Limits> one_limit(const Operation& operation, Call call);

    PluginManifest manifest_;
    std::string library_;
    HostTable& host_;
    Turns turns_;
    penstock_plugin_entry entry_{};
    penstock_core_v1 core_{};
    penstock_native_limit_v1 native_{}; // struct_size 0: not offered
    void* self_ = nullptr;
    std::unique_ptr<RemotePlugin> remote_; // where the plugin runs in a process of its own
    std::atomic<std::uint64_t> requests_{0};
    std::atomic<std::uint64_t> generation_{0};
};

} // namespace penstock
