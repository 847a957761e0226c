// SPDX-License-Identifier: Apache-2.0
//
// penstock/plugin.hpp - the C++20 layer on penstock/plugin.h. Header-only, depends on the standard library alone.
//
// An author writes a plain class and says PENSTOCK_PLUGIN(ThatClass):
//
//     struct MyPlugin {
//         static constexpr penstock::sdk::Info info{.id = "org.example.mine", .name = "Mine", ...};
//         explicit MyPlugin(penstock::sdk::Host host);
//         Status probe(const Call&, Sink<penstock_probe>);
//         Status enumerate_instances(const Call&, Sink<penstock_instance>);
//         Status enumerate_disks(const Call&, const Key&, Sink<penstock_disk>);
//         Status enumerate_actors(const Call&, const Key&, Sink<penstock_actor>);
//         // optional, all four or none: penstock.native-limit/1
//         Status native_support(const Call&, const Key&, std::string_view disk, Sink<penstock_limit_support>);
//         Status native_read(const Call&, const Key&, std::string_view disk, Sink<penstock_limits>);
//         Status native_apply(const Call&, const Key&, std::string_view disk, const penstock_limits&,
//         Sink<penstock_limits>); Status native_clear(const Call&, const Key&, std::string_view disk, uint64_t mask,
//         Sink<penstock_limits>);
//     };
//
// Compiles with -fno-exceptions; with exceptions, everything thrown is caught at the boundary and becomes
// PENSTOCK_E_INTERNAL.
#ifndef PENSTOCK_PLUGIN_HPP
#define PENSTOCK_PLUGIN_HPP

#include <penstock/plugin.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#if defined(__GNUC__)
#define PENSTOCK_HIDDEN __attribute__((visibility("hidden")))
#else
#define PENSTOCK_HIDDEN
#endif

namespace penstock {
namespace sdk PENSTOCK_HIDDEN {
inline namespace v1 {

// ---- strings ----------------------------------------------------------------------------------------------------

// Borrows: the bytes must outlive the record they are put into.
constexpr penstock_str str(std::string_view s) noexcept { return {s.data(), static_cast<uint32_t>(s.size()), 0}; }
constexpr std::string_view view(penstock_str s) noexcept {
    return s.p == nullptr ? std::string_view{} : std::string_view{s.p, s.n};
}

// ---- Status: the result of every operation ----------------------------------------------------------------------

class [[nodiscard]] Status {
public:
    Status() = default; // success

    // code: PENSTOCK_E_*. message: what was being done, on what, and what to do next.
    Status(int32_t code, std::string message, int sys_errno = 0)
        : code_{code}, sys_errno_{sys_errno}, message_{std::move(message)} {}

    Status&& retry_after(std::chrono::milliseconds delay) && {
        retry_after_ms_ = static_cast<uint32_t>(delay.count());
        return std::move(*this);
    }

    bool ok() const noexcept { return code_ == 0; }
    int32_t code() const noexcept { return code_; }
    int sys_errno() const noexcept { return sys_errno_; }
    const std::string& message() const noexcept { return message_; }

    // Copies into the caller's error, cutting a long message, and returns the code.
    int32_t store(penstock_error* error) const noexcept {
        if (code_ == 0 || error == nullptr) return code_;
        error->code = code_;
        error->sys_errno = sys_errno_;
        error->retry_after_ms = retry_after_ms_;
        const auto n = std::min(message_.size(), sizeof error->message - 1);
        std::memcpy(error->message, message_.data(), n);
        error->message[n] = '\0';
        return code_;
    }

private:
    int32_t code_ = 0;
    int sys_errno_ = 0;
    uint32_t retry_after_ms_ = 0;
    std::string message_;
};

// ---- what an operation receives ---------------------------------------------------------------------------------

class Host {
public:
    explicit Host(const penstock_host* host) noexcept : host_{host} {}

    std::string_view proc_root() const noexcept { return view(host_->proc_root); }
    std::string_view sys_root() const noexcept { return view(host_->sys_root); }
    std::string_view run_root() const noexcept { return view(host_->run_root); }
    uint64_t monotonic_ns() const noexcept { return host_->monotonic_ns(host_->ctx); }
    void log(uint32_t level, std::string_view message) const noexcept { host_->log(host_->ctx, level, str(message)); }

    // A value of the plugin's own section of the configuration.
    std::optional<std::string> config(std::string_view key) const {
        std::optional<std::string> out;
        const auto take = [](void* ctx, penstock_str v) -> int32_t {
            static_cast<std::optional<std::string>*>(ctx)->emplace(view(v));
            return 0;
        };
        if (host_->config == nullptr || host_->config(host_->ctx, str(key), &out, take) != 0) return std::nullopt;
        return out;
    }

    const void* extension(const char* id) const noexcept {
        return host_->get_extension == nullptr ? nullptr : host_->get_extension(host_->ctx, id);
    }

private:
    const penstock_host* host_;
};

class Call {
public:
    Call(const penstock_call* call, Host host) noexcept : call_{call}, host_{host} {}

    uint64_t deadline_ns() const noexcept { return call_->deadline_ns; }
    uint64_t generation() const noexcept { return call_->generation; }
    int cancel_fd() const noexcept { return call_->cancel_fd; }
    std::chrono::milliseconds remaining() const noexcept {
        const auto now = host_.monotonic_ns();
        if (now >= call_->deadline_ns) return std::chrono::milliseconds{0};
        return std::chrono::milliseconds{(call_->deadline_ns - now) / 1'000'000};
    }

private:
    const penstock_call* call_;
    Host host_;
};

struct Key {
    std::string_view kind, id, incarnation;
    explicit Key(const penstock_key& k) noexcept
        : kind{view(k.kind)}, id{view(k.id)}, incarnation{view(k.incarnation)} {}
};

// Where records go. Returns false when the host wants no more: return from the operation then.
template <class Record>
class Sink {
public:
    using Function = int32_t (*)(void*, const Record*);
    Sink(void* ctx, Function function, int32_t* stopped) noexcept : ctx_{ctx}, function_{function}, stopped_{stopped} {}

    // Stamps struct_size; strings and arrays are borrowed for the time of the call.
    bool operator()(Record record) const noexcept {
        if (*stopped_ != 0) return false;
        record.struct_size = sizeof(Record);
        *stopped_ = function_(ctx_, &record);
        return *stopped_ == 0;
    }

private:
    void* ctx_;
    Function function_;
    int32_t* stopped_;
};

// ---- what an author declares ------------------------------------------------------------------------------------

struct Info {
    std::string_view id, name, vendor, version;
    std::string_view kind;
    uint32_t thread_model = PENSTOCK_THREADS_SERIAL;
    uint32_t needs = 0;
    uint32_t default_deadline_ms = 0;
};

template <class P>
concept CorePlugin = requires(P p, const Call& call, const Key& key, Sink<penstock_probe> probes,
                              Sink<penstock_instance> instances, Sink<penstock_disk> disks,
                              Sink<penstock_actor> actors) {
    { P::info } -> std::convertible_to<Info>;
    { p.probe(call, probes) } -> std::same_as<Status>;
    { p.enumerate_instances(call, instances) } -> std::same_as<Status>;
    { p.enumerate_disks(call, key, disks) } -> std::same_as<Status>;
    { p.enumerate_actors(call, key, actors) } -> std::same_as<Status>;
};

template <class P>
concept NativeLimitPlugin = requires(P p, const Call& call, const Key& key, std::string_view disk,
                                     const penstock_limits& wanted, Sink<penstock_limits> limits,
                                     Sink<penstock_limit_support> support) {
    { p.native_support(call, key, disk, support) } -> std::same_as<Status>;
    { p.native_read(call, key, disk, limits) } -> std::same_as<Status>;
    { p.native_apply(call, key, disk, wanted, limits) } -> std::same_as<Status>;
    { p.native_clear(call, key, disk, uint64_t{}, limits) } -> std::same_as<Status>;
};

// ---- the tables -------------------------------------------------------------------------------------------------

template <CorePlugin P>
class Tables {
    struct Object {
        Host host;
        P plugin;
    };

    // Runs one operation: nothing thrown leaves, a sink's stop value is passed through.
    template <class Record, class Operation>
    static int32_t run(void* self, const penstock_call* call, void* ctx, typename Sink<Record>::Function emit,
                       penstock_error* error, Operation operation) noexcept {
        auto& object = *static_cast<Object*>(self);
        int32_t stopped = 0;
        const auto body = [&] {
            const Status status = operation(object.plugin, Call{call, object.host}, Sink<Record>{ctx, emit, &stopped});
            return stopped != 0 ? stopped : status.store(error);
        };
#if defined(__cpp_exceptions)
        try {
            return body();
        } catch (const std::exception& e) {
            return Status{PENSTOCK_E_INTERNAL, e.what()}.store(error);
        } catch (...) {
            return Status{PENSTOCK_E_INTERNAL, "unknown exception"}.store(error);
        }
#else
        return body();
#endif
    }

    static int32_t probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                         penstock_error* error) {
        return run<penstock_probe>(self, call, ctx, emit, error,
                                   [](P& p, const Call& c, auto sink) { return p.probe(c, sink); });
    }
    static int32_t instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                             penstock_error* error) {
        return run<penstock_instance>(self, call, ctx, emit, error,
                                      [](P& p, const Call& c, auto sink) { return p.enumerate_instances(c, sink); });
    }
    static int32_t disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_disk emit, penstock_error* error) {
        return run<penstock_disk>(self, call, ctx, emit, error, [key](P& p, const Call& c, auto sink) {
            return p.enumerate_disks(c, Key{*key}, sink);
        });
    }
    static int32_t actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                          penstock_emit_actor emit, penstock_error* error) {
        return run<penstock_actor>(self, call, ctx, emit, error, [key](P& p, const Call& c, auto sink) {
            return p.enumerate_actors(c, Key{*key}, sink);
        });
    }
    static int32_t native_support(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                                  void* ctx, penstock_emit_limit_support emit, penstock_error* error) {
        return run<penstock_limit_support>(self, call, ctx, emit, error, [&](P& p, const Call& c, auto sink) {
            return p.native_support(c, Key{*key}, view(disk), sink);
        });
    }
    static int32_t native_read(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                               void* ctx, penstock_emit_limits emit, penstock_error* error) {
        return run<penstock_limits>(self, call, ctx, emit, error, [&](P& p, const Call& c, auto sink) {
            return p.native_read(c, Key{*key}, view(disk), sink);
        });
    }
    static int32_t native_apply(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                                const penstock_limits* wanted, void* ctx, penstock_emit_limits emit,
                                penstock_error* error) {
        penstock_limits own{};
        std::memcpy(&own, wanted, std::min<std::size_t>(sizeof own, wanted->struct_size));
        return run<penstock_limits>(self, call, ctx, emit, error, [&](P& p, const Call& c, auto sink) {
            return p.native_apply(c, Key{*key}, view(disk), own, sink);
        });
    }
    static int32_t native_clear(void* self, const penstock_call* call, const penstock_key* key, penstock_str disk,
                                uint64_t mask, void* ctx, penstock_emit_limits emit, penstock_error* error) {
        return run<penstock_limits>(self, call, ctx, emit, error, [&](P& p, const Call& c, auto sink) {
            return p.native_clear(c, Key{*key}, view(disk), mask, sink);
        });
    }

    static constexpr penstock_str kinds_[1] = {str(P::info.kind)};
    static constexpr penstock_str extensions_[2] = {str(PENSTOCK_EXT_CORE), str(PENSTOCK_EXT_NATIVE_LIMIT)};
    static constexpr penstock_descriptor descriptor_{sizeof(penstock_descriptor),
                                                     P::info.thread_model,
                                                     P::info.needs,
                                                     P::info.default_deadline_ms,
                                                     str(P::info.id),
                                                     str(P::info.name),
                                                     str(P::info.vendor),
                                                     str(P::info.version),
                                                     1,
                                                     NativeLimitPlugin<P> ? 2u : 1u,
                                                     kinds_,
                                                     extensions_};
    static constexpr penstock_core_v1 core_{sizeof(penstock_core_v1), 0, &probe, &instances, &disks, &actors};

    static const penstock_descriptor* describe(uint32_t index) { return index == 0 ? &descriptor_ : nullptr; }

    static int32_t create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
        if (index != 0) return Status{PENSTOCK_E_INTERNAL, "no such plugin index"}.store(error);
#if defined(__cpp_exceptions)
        try {
            *self = new Object{Host{host}, P{Host{host}}};
            return 0;
        } catch (const std::exception& e) {
            return Status{PENSTOCK_E_INTERNAL, e.what()}.store(error);
        } catch (...) {
            return Status{PENSTOCK_E_INTERNAL, "unknown exception"}.store(error);
        }
#else
        *self = new (std::nothrow) Object{Host{host}, P{Host{host}}};
        return *self != nullptr ? 0 : Status{PENSTOCK_E_INTERNAL, "out of memory"}.store(error);
#endif
    }
    static void destroy(void* self) { delete static_cast<Object*>(self); }

    static const void* extension(uint32_t index, const char* id) {
        if (index != 0) return nullptr;
        if (std::strcmp(id, PENSTOCK_EXT_CORE) == 0) return &core_;
        if constexpr (NativeLimitPlugin<P>) {
            static constexpr penstock_native_limit_v1 native{
                sizeof(penstock_native_limit_v1), 0, &native_support, &native_read, &native_apply, &native_clear};
            if (std::strcmp(id, PENSTOCK_EXT_NATIVE_LIMIT) == 0) return &native;
        }
        return nullptr;
    }

public:
    static constexpr penstock_plugin_entry entry() {
        return {sizeof(penstock_plugin_entry),
                PENSTOCK_MAGIC,
                PENSTOCK_ABI_MAJOR,
                PENSTOCK_ABI_MINOR,
                0,
                1,
                str("1.0.0"),
                &describe,
                &create,
                &destroy,
                &extension};
    }
};

} // namespace v1
} // namespace PENSTOCK_HIDDEN
} // namespace penstock

// Once in one source file of the plugin, outside any namespace.
#define PENSTOCK_PLUGIN(Class)                                                                                         \
    extern "C" PENSTOCK_EXPORT const penstock_plugin_entry penstock_plugin_entry_v1;                                   \
    const penstock_plugin_entry penstock_plugin_entry_v1 = ::penstock::sdk::Tables<Class>::entry();

#endif // PENSTOCK_PLUGIN_HPP
