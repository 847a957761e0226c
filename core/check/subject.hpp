// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check/check.hpp"

#include <penstock/plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace penstock::check {

// Strings of an instance's key that outlive the record.
struct OwnedKey {
    std::string kind, id, incarnation;
    penstock_key contract() const;
};

// The result of one call into the plugin.
struct Answer {
    std::int32_t code = 0;
    penstock_error error{};
    double seconds = 0;

    // "-6 (TIMEOUT): what the plugin says"
    std::string text() const;
};

// What a call is given beyond its arguments. The deadline is in milliseconds from now.
struct CallOptions {
    std::int64_t deadline_ms = 5000;
    int cancel_fd = -1;
    std::uint64_t generation = 1;
};

// The host's table, with roots of the checker's choice. Outlives every object that was made with it.
struct TestHost {
    explicit TestHost(std::string proc = "/proc", std::string sys = "/sys", std::string run = "/run");
    TestHost(const TestHost&) = delete;
    TestHost& operator=(const TestHost&) = delete;

    std::string proc_root, sys_root, run_root;
    std::function<std::string(std::string_view key)> config; // empty: nothing is set
    penstock_host contract{};
};

// One plugin object. Destroyed with it.
class Object {
public:
    Object(const penstock_plugin_entry& entry, TestHost& host);
    ~Object();
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    explicit operator bool() const { return created_.code == 0 && self_ != nullptr; }
    const Answer& created() const { return created_; }

    // `emit` gets each record as the plugin gave it; what it returns goes to the plugin. NULL is a record of size 0.
    Answer probe(const std::function<std::int32_t(const penstock_probe&)>& emit, CallOptions options = {});
    Answer instances(const std::function<std::int32_t(const penstock_instance&)>& emit, CallOptions options = {});
    Answer disks(const penstock_key& key, const std::function<std::int32_t(const penstock_disk&)>& emit,
                 CallOptions options = {});
    Answer actors(const penstock_key& key, const std::function<std::int32_t(const penstock_actor&)>& emit,
                  CallOptions options = {});
    Answer limits(const penstock_key& key, penstock_str disk,
                  const std::function<std::int32_t(const penstock_limits&)>& emit, CallOptions options = {});
    Answer support(const penstock_key& key, penstock_str disk,
                   const std::function<std::int32_t(const penstock_limit_support&)>& emit, CallOptions options = {});
    Answer apply(const penstock_key& key, penstock_str disk, const penstock_limits& wanted, CallOptions options = {});
    Answer clear(const penstock_key& key, penstock_str disk, std::uint64_t mask, CallOptions options = {});

    bool has_limits() const { return native_ != nullptr; }
    // The keys of all instances that are there now.
    std::vector<OwnedKey> keys();

private:
    template <class Call>
    Answer timed(CallOptions options, Call call);

    const penstock_plugin_entry& entry_;
    TestHost& host_;
    void* self_ = nullptr;
    Answer created_;
    const penstock_core_v1* core_ = nullptr;
    const penstock_native_limit_v1* native_ = nullptr;
};

// The library under test, loaded in the process of one case.
class Subject {
public:
    Subject(std::string path, std::uint64_t seed) : path_{std::move(path)}, seed_{seed} {}

    const std::string& path() const { return path_; }
    std::string manifest_path() const; // x.penstock.toml of x.so
    std::uint64_t seed() const { return seed_; }

    // Why the library has no entry that can be used; empty: it has one. Loaded at the first call.
    const std::string& problem();
    // Where there is none, or it cannot be used, these give nullptr and skip the case: another one says what is wrong.
    const penstock_plugin_entry* entry(Verdict& verdict);
    const penstock_descriptor* descriptor(Verdict& verdict);
    std::unique_ptr<Object> object(Verdict& verdict, TestHost& host);

private:
    std::string path_;
    std::uint64_t seed_;
    std::string load();

    bool loaded_ = false;
    std::string problem_;
    const penstock_plugin_entry* entry_ = nullptr;
};

// Can it be looked at? It has bytes where it says so, and no more than 64 KiB.
bool believable(penstock_str text);
// Empty where it is not believable.
std::string_view view(penstock_str text);
penstock_str str(std::string_view text);
// "GONE" of PENSTOCK_E_GONE.
std::string_view code_name(std::int32_t code);

} // namespace penstock::check
