// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xen_plugin.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

// Hosts the plugin over file system roots of its own, and keeps what it reports as lines of text.
class PluginHost {
public:
    PluginHost(std::string proc, std::string sys, std::string run)
        : proc_{std::move(proc)}, sys_{std::move(sys)}, run_{std::move(run)} {
        table_.struct_size = sizeof table_;
        table_.proc_root = penstock::sdk::str(proc_);
        table_.sys_root = penstock::sdk::str(sys_);
        table_.run_root = penstock::sdk::str(run_);
        table_.monotonic_ns = [](void*) { return now(); };
        plugin_ = std::make_unique<penstock::xen::XenPlugin>(penstock::sdk::Host{&table_});
    }

    struct Instance {
        std::string id, name, incarnation, manager, note;
    };
    struct Outcome {
        int code = 0;
        std::string message;
    };
    Outcome outcome; // of the last call

    std::vector<Instance> instances(std::chrono::milliseconds time = std::chrono::seconds{10}) {
        ++generation_;
        std::vector<Instance> out;
        const auto take = [](void* ctx, const penstock_instance* r) -> std::int32_t {
            using penstock::sdk::view;
            static_cast<std::vector<Instance>*>(ctx)->push_back(
                {std::string{view(r->key.id)}, std::string{view(r->name)}, std::string{view(r->key.incarnation)},
                 std::string{view(r->manager)}, std::string{view(r->note)}});
            return 0;
        };
        run<penstock_instance>(out, take, time,
                               [&](auto& call, auto sink) { return plugin_->enumerate_instances(call, sink); });
        return out;
    }
    // "xvda vbd 252:0 /dev/vg0/lv0 raw direct [note]"
    std::vector<std::string> disks(const Instance& instance) {
        std::vector<std::string> out;
        run<penstock_disk>(out, &disk_line, std::chrono::seconds{10}, [&](auto& call, auto sink) {
            const auto record = key(instance);
            return plugin_->enumerate_disks(call, penstock::sdk::Key{record}, sink);
        });
        return out;
    }
    // "blkback 627 1.xvda-0 xvda"
    std::vector<std::string> actors(const Instance& instance) {
        std::vector<std::string> out;
        run<penstock_actor>(out, &actor_line, std::chrono::seconds{10}, [&](auto& call, auto sink) {
            const auto record = key(instance);
            return plugin_->enumerate_actors(call, penstock::sdk::Key{record}, sink);
        });
        return out;
    }
    // "xenstore 1 1 domains beside dom0, at ..."
    std::vector<std::string> probe(std::chrono::milliseconds time = std::chrono::seconds{10}) {
        std::vector<std::string> out;
        const auto take = [](void* ctx, const penstock_probe* r) -> std::int32_t {
            using penstock::sdk::view;
            static_cast<std::vector<std::string>*>(ctx)->push_back(
                std::string{view(r->component)} + " " + std::to_string(r->status) + " " +
                (r->version.n == 0 ? "" : std::string{view(r->version)} + " ") + std::string{view(r->detail)});
            return 0;
        };
        run<penstock_probe>(out, take, time, [&](auto& call, auto sink) { return plugin_->probe(call, sink); });
        return out;
    }

private:
    static std::uint64_t now() {
        timespec time{};
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    }
    static penstock_key key(const Instance& instance) {
        using penstock::sdk::str;
        return {str("xen"), str(instance.id), str(instance.incarnation)};
    }

    static std::int32_t disk_line(void* ctx, const penstock_disk* r) {
        using penstock::sdk::view;
        constexpr const char* caches[] = {"unknown", "direct", "buffered", "guest"};
        std::string line = std::string{view(r->target)} + " " + std::string{view(r->driver)};
        for (std::uint32_t i = 0; i < r->layer_count; ++i) {
            const auto& layer = r->layers[i];
            constexpr const char* kinds[] = {"unknown", "file", "block", "directory", "network", "other"};
            line += std::string{" "} + kinds[layer.kind];
            if ((layer.flags & PENSTOCK_LAYER_HAS_RDEV) != 0)
                line += " " + std::to_string(layer.rdev_major) + ":" + std::to_string(layer.rdev_minor);
            for (const auto text : {layer.path, layer.uri, layer.format})
                if (text.n != 0) line += " " + std::string{view(text)};
        }
        line += std::string{" "} + caches[r->cache_mode];
        if ((r->flags & PENSTOCK_DISK_READ_ONLY) != 0) line += " read-only";
        if ((r->flags & PENSTOCK_DISK_EMPTY) != 0) line += " empty";
        if (r->note.n != 0) line += " [" + std::string{view(r->note)} + "]";
        static_cast<std::vector<std::string>*>(ctx)->push_back(line);
        return 0;
    }
    static std::int32_t actor_line(void* ctx, const penstock_actor* r) {
        using penstock::sdk::view;
        const char* role = r->role == PENSTOCK_ROLE_BLKBACK    ? "blkback"
                           : r->role == PENSTOCK_ROLE_EMULATOR ? "emulator"
                           : r->role == PENSTOCK_ROLE_TAPDISK  ? "tapdisk"
                                                               : "?";
        auto line = std::string{role} + " " + std::to_string(r->pid) + " " + std::string{view(r->name)};
        for (std::uint32_t i = 0; i < r->disk_count; ++i) line += " " + std::string{view(r->disks[i])};
        static_cast<std::vector<std::string>*>(ctx)->push_back(line);
        return 0;
    }

    template <class Record, class Operation>
    void run(auto& out, typename penstock::sdk::Sink<Record>::Function take, std::chrono::milliseconds time,
             Operation operation) {
        const auto deadline = now() + static_cast<std::uint64_t>(time.count()) * 1'000'000;
        const penstock_call raw{sizeof raw, -1, deadline, 1, generation_};
        const penstock::sdk::Call call{&raw, penstock::sdk::Host{&table_}};
        std::int32_t stopped = 0;
        const penstock::sdk::Status status = operation(call, penstock::sdk::Sink<Record>{&out, take, &stopped});
        outcome = {status.code(), status.message()};
    }

    std::string proc_, sys_, run_;
    penstock_host table_{};
    std::uint64_t generation_ = 0;
    std::unique_ptr<penstock::xen::XenPlugin> plugin_;
};
