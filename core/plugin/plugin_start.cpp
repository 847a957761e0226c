// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin.hpp"

#include "base/text.hpp"
#include "plugin/convert.hpp"
#include "plugin/guarded.hpp"
#include "plugin/library.hpp"
#include "plugin/sized.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace penstock {
namespace {

constexpr std::uint32_t kind_cap = 64;

penstock_error empty_error() {
    penstock_error error{};
    error.struct_size = sizeof error;
    return error;
}

std::vector<std::string> kinds_of(const penstock_descriptor& descriptor) {
    std::vector<std::string> kinds;
    if (descriptor.kinds == nullptr) return kinds;
    for (std::uint32_t i = 0; i < std::min(descriptor.kind_count, kind_cap); ++i)
        kinds.emplace_back(view_of(descriptor.kinds[i]));
    std::sort(kinds.begin(), kinds.end());
    return kinds;
}

} // namespace

Plugin::Plugin(const PluginEntry& entry, const HostOptions& options)
    : manifest_{entry.manifest}, library_{entry.library}, host_{HostTable::make(options, entry.manifest.id)} {}

Plugin::~Plugin() {
    auto error = empty_error();
    if (self_ != nullptr) guarded(error, [&] { return entry_.destroy(self_), 0; });
    host_.close();
}

Result<std::unique_ptr<Plugin>> Plugin::load(const PluginEntry& entry, const HostOptions& options) {
    if (entry.refused) return *entry.refused;
    std::unique_ptr<Plugin> plugin{new Plugin{entry, options}};
    if (auto started = plugin->start(); !started) return std::move(started.error());
    return plugin;
}

Result<void> Plugin::start() {
    auto entry = load_entry(library_);
    if (!entry) return std::move(entry.error());
    entry_ = *entry;
    if (auto done = describe(); !done) return done;
    if (auto done = take_tables(); !done) return done;
    auto error = empty_error();
    const auto code = guarded(error, [&] { return entry_.create(0, host_.contract(), &self_, &error); });
    if (code == 0) return {};
    self_ = nullptr;
    return from_error(code, error).within("starting " + printable(library_));
}

Result<void> Plugin::describe() {
    auto error = empty_error();
    penstock_descriptor own;
    const auto code = guarded(error, [&] {
        return entry_.plugin_count != 0 && copy_sized(own, entry_.describe(0)) ? 0 : PENSTOCK_E_MALFORMED;
    });
    if (code == PENSTOCK_E_MALFORMED)
        return Error{ErrorCode::malformed, printable(library_) + " does not describe itself"};
    if (code != 0) return from_error(code, error).within("describing " + printable(library_));

    const auto differs = [&](std::string_view what, std::string_view theirs, std::string_view ours) {
        return Error{ErrorCode::conflict, fmt::format("{} says that its {} '{}', its manifest says '{}'",
                                                      printable(library_), what, printable(theirs), printable(ours))}
            .advise("install library and manifest of the same release");
    };
    if (view_of(own.id) != manifest_.id) return differs("id is", view_of(own.id), manifest_.id);
    auto expected = manifest_.kinds;
    std::sort(expected.begin(), expected.end());
    if (const auto kinds = kinds_of(own); kinds != expected)
        return differs("kinds are", fmt::format("{}", fmt::join(kinds, " ")),
                       fmt::format("{}", fmt::join(expected, " ")));
    if (view_of(own.version) != manifest_.version)
        host_.log(PENSTOCK_LOG_WARNING, fmt::format("the library is version {}, its manifest says {}",
                                                    view_of(own.version), manifest_.version));
    turns_.set_model(own.thread_model);
    return {};
}

Result<void> Plugin::take_tables() {
    auto error = empty_error();
    const void *core = nullptr, *native = nullptr;
    const auto code = guarded(error, [&] {
        core = entry_.get_extension(0, PENSTOCK_EXT_CORE);
        native = entry_.get_extension(0, PENSTOCK_EXT_NATIVE_LIMIT);
        return 0;
    });
    if (code != 0) return from_error(code, error).within("asking for the extensions of " + printable(library_));

    const auto incomplete = [&](const char* extension) {
        return Error{ErrorCode::malformed, fmt::format("{} does not offer all of {}", printable(library_), extension)};
    };
    if (!copy_sized(core_, static_cast<const penstock_core_v1*>(core)) || core_.probe == nullptr ||
        core_.enumerate_instances == nullptr || core_.enumerate_disks == nullptr || core_.enumerate_actors == nullptr)
        return incomplete(PENSTOCK_EXT_CORE);
    if (native == nullptr) return {};
    if (!copy_sized(native_, static_cast<const penstock_native_limit_v1*>(native)) || native_.support == nullptr ||
        native_.read == nullptr || native_.apply == nullptr || native_.clear == nullptr)
        return incomplete(PENSTOCK_EXT_NATIVE_LIMIT);
    return {};
}

} // namespace penstock
