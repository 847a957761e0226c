// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin.hpp"

#include "base/text.hpp"
#include "plugin/convert.hpp"
#include "plugin/library.hpp"
#include "plugin/sized.hpp"

#include <fmt/format.h>

#include <set>

namespace penstock {
namespace {

constexpr std::size_t record_cap = 100'000;

std::uint64_t nanoseconds(Deadline deadline) {
    // steady_clock is CLOCK_MONOTONIC with libstdc++, which is what the contract speaks of.
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.time_since_epoch()).count());
}

std::string_view view(penstock_str text) { return text.p == nullptr ? std::string_view{} : std::string_view{text.p, text.n}; }

// What a duplicate is judged by; empty: duplicates are fine.
std::string identity(const Instance& instance) { return instance.key.kind + "/" + instance.key.id; }
std::string identity(const Disk& disk) { return disk.target; }
template <class T>
std::string identity(const T&) { return {}; }

// Takes records from a plugin. A plugin that keeps the pointer and emits after its call has returned writes into a Sink
// that is gone; so Sinks are kept for a while and know when their call is over.
template <class Item, class Record>
struct Sink {
    std::vector<Item> items;
    std::set<std::string> seen;
    std::optional<Error> problem;
    bool open = true;

    static std::int32_t emit(void* ctx, const Record* record) noexcept {
        auto& sink = *static_cast<Sink*>(ctx);
        if (!sink.open) return 1;
        if (sink.items.size() >= record_cap) {
            sink.problem = Error{ErrorCode::partial, fmt::format("the plugin reported more than {} records; the rest is left out", record_cap)};
            return 1;
        }
        auto item = from_record(record);
        if (!item) {
            if (!sink.problem) sink.problem = item.error();
            return 0; // one bad record does not hide the others
        }
        if (auto id = identity(*item); !id.empty() && !sink.seen.insert(id).second) {
            if (!sink.problem) sink.problem = Error{ErrorCode::malformed, fmt::format("the plugin reported '{}' twice", printable(id))};
            return 0;
        }
        sink.items.push_back(*std::move(item));
        return 0;
    }
};

} // namespace

Plugin::Plugin(const PluginEntry& entry, const HostOptions& options) : manifest_{entry.manifest}, library_{entry.library}, options_{options} {
    host_.struct_size = sizeof host_;
    host_.abi_major = PENSTOCK_ABI_MAJOR;
    host_.abi_minor = PENSTOCK_ABI_MINOR;
    host_.ctx = this;
    host_.proc_root = borrow(options_.proc_root);
    host_.sys_root = borrow(options_.sys_root);
    host_.run_root = borrow(options_.run_root);
    host_.log = [](void* ctx, std::uint32_t level, penstock_str message) {
        const auto& self = *static_cast<Plugin*>(ctx);
        if (self.options_.log) self.options_.log(level, self.manifest_.id, view(message));
    };
    host_.monotonic_ns = [](void*) { return nanoseconds(std::chrono::steady_clock::now()); };
    host_.config = [](void* ctx, penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str)) -> std::int32_t {
        const auto& self = *static_cast<Plugin*>(ctx);
        const auto found = self.options_.config ? self.options_.config(self.manifest_.id, view(key)) : std::nullopt;
        return found ? value(value_ctx, borrow(*found)) : PENSTOCK_E_NOT_PRESENT;
    };
    host_.get_extension = [](void*, const char*) -> const void* { return nullptr; };
}

Plugin::~Plugin() {
    if (self_ != nullptr) entry_.destroy(self_);
}

Result<std::unique_ptr<Plugin>> Plugin::load(const PluginEntry& entry, const HostOptions& options) {
    if (entry.refused) return *entry.refused;
    std::unique_ptr<Plugin> plugin{new Plugin{entry, options}};
    if (auto started = plugin->start(); !started) return started.error();
    return plugin;
}

Result<void> Plugin::start() {
    auto entry = load_entry(library_);
    if (!entry) return entry.error();
    entry_ = *entry;
    penstock_descriptor descriptor;
    if (entry_.plugin_count == 0 || !copy_sized(descriptor, entry_.describe(0), sizeof descriptor))
        return Error{ErrorCode::malformed, printable(library_) + " does not describe itself"};
    if (view(descriptor.id) != manifest_.id)
        return Error{ErrorCode::conflict, fmt::format("{} says that it is '{}', its manifest says '{}'", printable(library_), printable(view(descriptor.id)), printable(manifest_.id))}
            .advise("install library and manifest of the same release");
    serial_ = descriptor.thread_model != PENSTOCK_THREADS_PARALLEL;
    if (!copy_sized(core_, static_cast<const penstock_core_v1*>(entry_.get_extension(0, PENSTOCK_EXT_CORE)), sizeof core_) || core_.probe == nullptr ||
        core_.enumerate_instances == nullptr || core_.enumerate_disks == nullptr || core_.enumerate_actors == nullptr)
        return Error{ErrorCode::malformed, fmt::format("{} does not offer all of {}", printable(library_), PENSTOCK_EXT_CORE)};
    const auto* native = static_cast<const penstock_native_limit_v1*>(entry_.get_extension(0, PENSTOCK_EXT_NATIVE_LIMIT));
    if (native != nullptr && (!copy_sized(native_, native, sizeof native_) || native_.support == nullptr || native_.read == nullptr ||
                              native_.apply == nullptr || native_.clear == nullptr))
        return Error{ErrorCode::malformed, fmt::format("{} does not offer all of {}", printable(library_), PENSTOCK_EXT_NATIVE_LIMIT)};
    penstock_error error{};
    error.struct_size = sizeof error;
    if (const auto code = entry_.create(0, &host_, &self_, &error); code != 0) {
        self_ = nullptr;
        return from_error(code, error).within("starting plugin " + manifest_.id);
    }
    return {};
}

std::unique_lock<std::mutex> Plugin::turn() { return serial_ ? std::unique_lock{mutex_} : std::unique_lock<std::mutex>{}; }

template <class Item, class Record, class Call>
Result<Listing<Item>> Plugin::collect(Deadline deadline, Call call) {
    const auto lock = turn();
    const auto request = ++requests_;
    const penstock_call context{sizeof context, -1, nanoseconds(deadline), request, request};
    penstock_error error{};
    error.struct_size = sizeof error;
    thread_local Sink<Item, Record> sink; // outlives the call, for a plugin that emits too late
    sink = {};
    const auto code = call(&context, static_cast<void*>(&sink), &Sink<Item, Record>::emit, &error);
    sink.open = false;
    Listing<Item> listing{std::move(sink.items), std::move(sink.problem)};
    if (code == PENSTOCK_E_PARTIAL && !listing.incomplete) listing.incomplete = from_error(code, error);
    if (code < 0 && code != PENSTOCK_E_PARTIAL) return from_error(code, error);
    return listing;
}

Result<std::vector<ProbeLine>> Plugin::probe(Deadline deadline) {
    auto found = collect<ProbeLine, penstock_probe>(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return core_.probe(self_, call, ctx, emit, error); });
    if (!found) return found.error();
    return std::move(found->items);
}

Result<Listing<Instance>> Plugin::instances(Deadline deadline) {
    return collect<Instance, penstock_instance>(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return core_.enumerate_instances(self_, call, ctx, emit, error); });
}

Result<Listing<Disk>> Plugin::disks(const InstanceKey& key, Deadline deadline) {
    const auto borrowed = borrow(key);
    return collect<Disk, penstock_disk>(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return core_.enumerate_disks(self_, call, &borrowed, ctx, emit, error); });
}

Result<Listing<Actor>> Plugin::actors(const InstanceKey& key, Deadline deadline) {
    const auto borrowed = borrow(key);
    return collect<Actor, penstock_actor>(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return core_.enumerate_actors(self_, call, &borrowed, ctx, emit, error); });
}

Result<const penstock_native_limit_v1*> Plugin::native() const {
    if (native_.struct_size == 0) return Error{ErrorCode::unsupported, "plugin " + manifest_.id + " has no limiter of its own"};
    return &native_;
}

Result<std::vector<FieldSupport>> Plugin::native_support(const InstanceKey& key, const std::string& disk, Deadline deadline) {
    const auto table = native();
    if (!table) return table.error();
    const auto borrowed = borrow(key);
    auto found = collect<FieldSupport, penstock_limit_support>(deadline, [&](auto* call, void* ctx, auto emit, auto* error) {
        return (*table)->support(self_, call, &borrowed, borrow(disk), ctx, emit, error);
    });
    if (!found) return found.error();
    return std::move(found->items);
}

template <class Call>
Result<Limits> Plugin::one_limit(Deadline deadline, Call call) {
    auto found = collect<Limits, penstock_limits>(deadline, call);
    if (!found) return found.error();
    if (found->incomplete) return *found->incomplete;
    if (found->items.size() != 1) return Error{ErrorCode::malformed, fmt::format("the plugin reported {} sets of limits instead of one", found->items.size())};
    return std::move(found->items.front());
}

Result<Limits> Plugin::native_read(const InstanceKey& key, const std::string& disk, Deadline deadline) {
    const auto table = native();
    if (!table) return table.error();
    const auto borrowed = borrow(key);
    return one_limit(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return (*table)->read(self_, call, &borrowed, borrow(disk), ctx, emit, error); });
}

Result<Limits> Plugin::native_apply(const InstanceKey& key, const std::string& disk, const Limits& wanted, Deadline deadline) {
    const auto table = native();
    if (!table) return table.error();
    const auto borrowed = borrow(key);
    const auto record = to_record(wanted);
    return one_limit(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return (*table)->apply(self_, call, &borrowed, borrow(disk), &record, ctx, emit, error); });
}

Result<Limits> Plugin::native_clear(const InstanceKey& key, const std::string& disk, const LimitFields& fields, Deadline deadline) {
    const auto table = native();
    if (!table) return table.error();
    const auto borrowed = borrow(key);
    return one_limit(deadline, [&](auto* call, void* ctx, auto emit, auto* error) { return (*table)->clear(self_, call, &borrowed, borrow(disk), to_mask(fields), ctx, emit, error); });
}

} // namespace penstock
