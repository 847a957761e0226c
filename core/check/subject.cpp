// SPDX-License-Identifier: Apache-2.0
#include "check/subject.hpp"

#include "base/text.hpp"
#include "plugin/contract_size.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <chrono>

namespace penstock::check {
namespace {

std::uint64_t now_ns(void*) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

void ignore(void*, std::uint32_t, penstock_str) {}
const void* no_extension(void*, const char*) { return nullptr; }

std::int32_t configured(void* ctx, penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str)) {
    const auto& host = *static_cast<TestHost*>(ctx);
    if (!host.config) return PENSTOCK_E_NOT_PRESENT;
    const auto text = host.config(view(key));
    return value(value_ctx, str(text));
}

template <class Record>
std::int32_t hand_on(void* ctx, const Record* record) {
    static const Record nothing{};
    if (record == nullptr) record = &nothing;
    return (*static_cast<const std::function<std::int32_t(const Record&)>*>(ctx))(*record);
}

// The void* that a sink gets: the contract's sinks take one, and none of them changes it.
template <class Emit>
void* context(const Emit& emit) {
    return const_cast<void*>(static_cast<const void*>(&emit));
}

} // namespace

bool believable(penstock_str text) { return text.p == nullptr ? text.n == 0 : text.n <= 64U << 10; }

std::string_view view(penstock_str text) {
    return text.p == nullptr || !believable(text) ? std::string_view{} : std::string_view{text.p, text.n};
}

penstock_str str(std::string_view text) { return {text.data(), static_cast<std::uint32_t>(text.size()), 0}; }

std::string_view code_name(std::int32_t code) {
    static constexpr std::array<std::string_view, 11> names{"success", "GONE",     "NOT_PRESENT", "UNSUPPORTED",
                                                            "DENIED",  "BUSY",     "TIMEOUT",     "MALFORMED",
                                                            "PARTIAL", "CONFLICT", "INTERNAL"};
    return code <= 0 && code > -static_cast<std::int32_t>(names.size()) ? names[static_cast<std::size_t>(-code)]
                                                                        : "no code of the contract";
}

penstock_key OwnedKey::contract() const { return {str(kind), str(id), str(incarnation)}; }

std::string Answer::text() const {
    const std::string_view message{error.message, ::strnlen(error.message, sizeof error.message)};
    return fmt::format("{} ({}){}{}", code, code_name(code), message.empty() ? "" : ": ", printable(message));
}

TestHost::TestHost(std::string proc, std::string sys, std::string run)
    : proc_root{std::move(proc)}, sys_root{std::move(sys)}, run_root{std::move(run)} {
    contract = {sizeof contract, PENSTOCK_ABI_MAJOR, PENSTOCK_ABI_MINOR, 0,      this,
                str(proc_root),  str(sys_root),      str(run_root),      ignore, now_ns,
                configured,      no_extension};
}

template <class Call>
Answer Object::timed(CallOptions options, Call call) {
    Answer answer;
    answer.error.struct_size = sizeof answer.error;
    const auto begin = now_ns(nullptr);
    const penstock_call contract{
        sizeof contract, options.cancel_fd,
        static_cast<std::uint64_t>(static_cast<std::int64_t>(begin) + options.deadline_ms * 1'000'000), 1,
        options.generation};
    answer.code = call(&contract, &answer.error);
    answer.seconds = static_cast<double>(now_ns(nullptr) - begin) / 1e9;
    return answer;
}

Object::Object(const penstock_plugin_entry& entry, TestHost& host) : entry_{entry}, host_{host} {
    created_.error.struct_size = sizeof created_.error;
    created_.code = entry_.create(0, &host_.contract, &self_, &created_.error);
    core_ = static_cast<const penstock_core_v1*>(entry_.get_extension(0, PENSTOCK_EXT_CORE));
    native_ = static_cast<const penstock_native_limit_v1*>(entry_.get_extension(0, PENSTOCK_EXT_NATIVE_LIMIT));
}

Object::~Object() {
    if (*this) entry_.destroy(self_);
}

Answer Object::probe(const std::function<std::int32_t(const penstock_probe&)>& emit, CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return core_->probe(self_, call, context(emit), hand_on<penstock_probe>, error);
    });
}
Answer Object::instances(const std::function<std::int32_t(const penstock_instance&)>& emit, CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return core_->enumerate_instances(self_, call, context(emit), hand_on<penstock_instance>, error);
    });
}
Answer Object::disks(const penstock_key& key, const std::function<std::int32_t(const penstock_disk&)>& emit,
                     CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return core_->enumerate_disks(self_, call, &key, context(emit), hand_on<penstock_disk>, error);
    });
}
Answer Object::actors(const penstock_key& key, const std::function<std::int32_t(const penstock_actor&)>& emit,
                      CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return core_->enumerate_actors(self_, call, &key, context(emit), hand_on<penstock_actor>, error);
    });
}
Answer Object::limits(const penstock_key& key, penstock_str disk,
                      const std::function<std::int32_t(const penstock_limits&)>& emit, CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return native_->read(self_, call, &key, disk, context(emit), hand_on<penstock_limits>, error);
    });
}
Answer Object::support(const penstock_key& key, penstock_str disk,
                       const std::function<std::int32_t(const penstock_limit_support&)>& emit, CallOptions options) {
    return timed(options, [&](auto* call, auto* error) {
        return native_->support(self_, call, &key, disk, context(emit), hand_on<penstock_limit_support>, error);
    });
}
Answer Object::apply(const penstock_key& key, penstock_str disk, const penstock_limits& wanted, CallOptions options) {
    const std::function<std::int32_t(const penstock_limits&)> emit = [](const penstock_limits&) { return 0; };
    return timed(options, [&](auto* call, auto* error) {
        return native_->apply(self_, call, &key, disk, &wanted, context(emit), hand_on<penstock_limits>, error);
    });
}
Answer Object::clear(const penstock_key& key, penstock_str disk, std::uint64_t mask, CallOptions options) {
    const std::function<std::int32_t(const penstock_limits&)> emit = [](const penstock_limits&) { return 0; };
    return timed(options, [&](auto* call, auto* error) {
        return native_->clear(self_, call, &key, disk, mask, context(emit), hand_on<penstock_limits>, error);
    });
}

std::vector<OwnedKey> Object::keys() {
    std::vector<OwnedKey> keys;
    (void)instances([&](const penstock_instance& record) {
        keys.push_back({std::string{view(record.key.kind)}, std::string{view(record.key.id)},
                        std::string{view(record.key.incarnation)}});
        return 0;
    });
    return keys;
}

std::string Subject::manifest_path() const {
    return (path_.ends_with(".so") ? path_.substr(0, path_.size() - 3) : path_) + ".penstock.toml";
}

std::string Subject::load() {
    auto* library = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL); // for good: the process ends with the case
    if (library == nullptr) return std::string{"it cannot be loaded: "} + ::dlerror();
    const auto* entry = static_cast<const penstock_plugin_entry*>(::dlsym(library, PENSTOCK_ENTRY_SYMBOL));
    if (entry == nullptr) return std::string{"it does not export "} + PENSTOCK_ENTRY_SYMBOL;
    if (entry->magic != PENSTOCK_MAGIC)
        return fmt::format("the magic of its entry is {:#x}, not {:#x}", entry->magic, PENSTOCK_MAGIC);
    if (entry->abi_major != PENSTOCK_ABI_MAJOR)
        return fmt::format("it was built for contract {}, and this is {}", entry->abi_major, PENSTOCK_ABI_MAJOR);
    if (entry->struct_size < size_1_0<penstock_plugin_entry> || entry->struct_size > PENSTOCK_STRUCT_MAX)
        return fmt::format("struct_size of its entry is {}, and must be from {} to {}", entry->struct_size,
                           size_1_0<penstock_plugin_entry>, PENSTOCK_STRUCT_MAX);
    if (entry->describe == nullptr || entry->create == nullptr || entry->destroy == nullptr ||
        entry->get_extension == nullptr)
        return "a function of its entry is NULL";
    entry_ = entry;
    return {};
}

const std::string& Subject::problem() {
    if (!loaded_) problem_ = load();
    loaded_ = true;
    return problem_;
}

const penstock_plugin_entry* Subject::entry(Verdict& verdict) {
    if (!problem().empty()) verdict.skip("its entry cannot be used: see case library/entry");
    return entry_;
}

const penstock_descriptor* Subject::descriptor(Verdict& verdict) {
    const auto* its_entry = entry(verdict);
    if (its_entry == nullptr) return nullptr;
    const auto* descriptor = its_entry->describe(0);
    const bool usable = descriptor != nullptr && descriptor->struct_size >= size_1_0<penstock_descriptor> &&
                        descriptor->kind_count > 0 && descriptor->kinds != nullptr;
    if (usable) return descriptor;
    verdict.skip("its descriptor cannot be used: see case library/descriptor");
    return nullptr;
}

std::unique_ptr<Object> Subject::object(Verdict& verdict, TestHost& host) {
    if (descriptor(verdict) == nullptr) return nullptr;
    const auto* core = static_cast<const penstock_core_v1*>(entry_->get_extension(0, PENSTOCK_EXT_CORE));
    const auto* native =
        static_cast<const penstock_native_limit_v1*>(entry_->get_extension(0, PENSTOCK_EXT_NATIVE_LIMIT));
    const bool callable = core != nullptr && core->probe != nullptr && core->enumerate_instances != nullptr &&
                          core->enumerate_disks != nullptr && core->enumerate_actors != nullptr &&
                          (native == nullptr || (native->support != nullptr && native->read != nullptr &&
                                                 native->apply != nullptr && native->clear != nullptr));
    if (!callable)
        return verdict.skip("a table of functions is missing, or one in it: see case library/extensions"), nullptr;
    auto object = std::make_unique<Object>(*entry_, host);
    if (*object) return object;
    if (object->created().code == PENSTOCK_E_NOT_PRESENT)
        verdict.skip("the plugin says that its hypervisor is not here");
    else
        verdict.skip("no object can be made: see case lifecycle/creates");
    return nullptr;
}

} // namespace penstock::check
