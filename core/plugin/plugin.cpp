// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin.hpp"

#include "plugin/collector.hpp"
#include "plugin/guarded.hpp"
#include "plugin/inbox.hpp"

namespace penstock {

// One call: what it is named in messages, which instance it concerns, and until when it has time.
struct Plugin::Operation {
    std::string_view name;
    std::string_view instance;
    Deadline deadline;
};

namespace {

std::uint64_t nanoseconds(Deadline deadline) {
    // steady_clock is CLOCK_MONOTONIC with libstdc++ and libc++ on Linux, which is what the contract speaks of.
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.time_since_epoch()).count();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(since, 0));
}

} // namespace

template <class Item, class Record, class Call>
Result<Listing<Item>> Plugin::collect(const Operation& operation, Call call,
                                      std::function<std::optional<Error>(const Item&)> check) {
    const auto turn = turns_.wait(operation.instance, operation.deadline);
    if (!turn)
        return Error{ErrorCode::timeout, fmt::format("{} of plugin {} waited for another call, which has not returned",
                                                     operation.name, manifest_.id)};
    const penstock_call context{sizeof context, -1, nanoseconds(operation.deadline), ++requests_, generation_};
    penstock_error error{};
    error.struct_size = sizeof error;
    Collector<Item, Record> collector{std::move(check)};
    Inbox<Record> inbox{[&collector](const Record* record) { return collector.take(record); }};
    const auto code = guarded(error, [&] { return call(&context, inbox.ctx(), &Inbox<Record>::emit, &error); });
    inbox.close();

    using std::chrono::duration_cast, std::chrono::milliseconds;
    if (const auto late = std::chrono::steady_clock::now() - operation.deadline; late > milliseconds{1})
        host_.log(PENSTOCK_LOG_WARNING, fmt::format("{} returned {} ms after its deadline", operation.name,
                                                    duration_cast<milliseconds>(late).count()));
    // A sink that said stop gets its own value back: what is complete then is the collector's to say.
    if (code != 0 && code != PENSTOCK_E_PARTIAL && !(code > 0 && collector.stopped())) return from_error(code, error);
    auto listing = std::move(collector).finish();
    if (code == PENSTOCK_E_PARTIAL && !listing.incomplete) listing.incomplete = from_error(code, error);
    return listing;
}

Result<std::vector<ProbeLine>> Plugin::probe(Deadline deadline) {
    auto found =
        collect<ProbeLine, penstock_probe>({"probe", "", deadline}, [&](auto* call, void* ctx, auto emit, auto* error) {
            return core_.probe(self_, call, ctx, emit, error);
        });
    if (!found) return found.error();
    if (found->incomplete)
        found->items.push_back({ProbeStatus::broken, manifest_.id, manifest_.version, found->incomplete->text()});
    return std::move(found->items);
}

Result<Listing<Instance>> Plugin::instances(Deadline deadline) {
    ++generation_;
    return collect<Instance, penstock_instance>(
        {"enumerate_instances", "", deadline},
        [&](auto* call, void* ctx, auto emit, auto* error) {
            return core_.enumerate_instances(self_, call, ctx, emit, error);
        },
        [&](const Instance& instance) -> std::optional<Error> {
            const auto& kinds = manifest_.kinds;
            if (std::find(kinds.begin(), kinds.end(), instance.key.kind) != kinds.end()) return std::nullopt;
            return malformed_record(fmt::format("instance '{}' is of kind '{}', which the manifest does not name",
                                                printable(instance.name), printable(instance.key.kind)));
        });
}

Result<Listing<Disk>> Plugin::disks(const InstanceKey& key, Deadline deadline) {
    const auto borrowed = borrow(key);
    return collect<Disk, penstock_disk>({"enumerate_disks", key.id, deadline},
                                        [&](auto* call, void* ctx, auto emit, auto* error) {
                                            return core_.enumerate_disks(self_, call, &borrowed, ctx, emit, error);
                                        });
}

Result<Listing<Actor>> Plugin::actors(const InstanceKey& key, Deadline deadline) {
    const auto borrowed = borrow(key);
    return collect<Actor, penstock_actor>({"enumerate_actors", key.id, deadline},
                                          [&](auto* call, void* ctx, auto emit, auto* error) {
                                              return core_.enumerate_actors(self_, call, &borrowed, ctx, emit, error);
                                          });
}

Error Plugin::without_native_limit() const {
    return {ErrorCode::unsupported, "plugin " + manifest_.id + " has no limiter of its own"};
}

Result<std::vector<FieldSupport>> Plugin::native_support(const InstanceKey& key, const std::string& disk,
                                                         Deadline deadline) {
    if (!has_native_limit()) return without_native_limit();
    const auto borrowed = borrow(key);
    auto found = collect<FieldSupport, penstock_limit_support>(
        {"native support", key.id, deadline}, [&](auto* call, void* ctx, auto emit, auto* error) {
            return native_.support(self_, call, &borrowed, borrow(disk), ctx, emit, error);
        });
    if (!found) return found.error();
    if (found->incomplete) return *std::move(found->incomplete); // a field that is left out would read as "none"
    return std::move(found->items);
}

template <class Call>
Result<Limits> Plugin::one_limit(const Operation& operation, Call call) {
    if (!has_native_limit()) return without_native_limit();
    auto found = collect<Limits, penstock_limits>(operation, call);
    if (!found) return found.error();
    if (found->incomplete) return *std::move(found->incomplete);
    if (found->items.size() != 1)
        return Error{ErrorCode::malformed, fmt::format("the plugin answered {} with {} sets of limits instead of one",
                                                       operation.name, found->items.size())};
    return std::move(found->items.front());
}

Result<Limits> Plugin::native_read(const InstanceKey& key, const std::string& disk, Deadline deadline) {
    const auto borrowed = borrow(key);
    return one_limit({"native read", key.id, deadline}, [&](auto* call, void* ctx, auto emit, auto* error) {
        return native_.read(self_, call, &borrowed, borrow(disk), ctx, emit, error);
    });
}

Result<Limits> Plugin::native_apply(const InstanceKey& key, const std::string& disk, const Limits& wanted,
                                    Deadline deadline) {
    ++generation_; // what a plugin has cached is no longer so
    const auto borrowed = borrow(key);
    const auto record = to_record(wanted);
    return one_limit({"native apply", key.id, deadline}, [&](auto* call, void* ctx, auto emit, auto* error) {
        return native_.apply(self_, call, &borrowed, borrow(disk), &record, ctx, emit, error);
    });
}

Result<Limits> Plugin::native_clear(const InstanceKey& key, const std::string& disk, const LimitFields& fields,
                                    Deadline deadline) {
    ++generation_;
    const auto borrowed = borrow(key);
    return one_limit({"native clear", key.id, deadline}, [&](auto* call, void* ctx, auto emit, auto* error) {
        return native_.clear(self_, call, &borrowed, borrow(disk), to_mask(fields), ctx, emit, error);
    });
}

} // namespace penstock
