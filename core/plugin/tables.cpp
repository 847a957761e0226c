// SPDX-License-Identifier: Apache-2.0
#include "plugin/tables.hpp"

#include "base/text.hpp"
#include "plugin/convert.hpp"
#include "plugin/guarded.hpp"
#include "plugin/library.hpp"
#include "plugin/sized.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

constexpr std::uint32_t kind_cap = 64;

std::vector<std::string> kinds_of(const penstock_descriptor& descriptor) {
    std::vector<std::string> kinds;
    if (descriptor.kinds == nullptr) return kinds;
    for (std::uint32_t i = 0; i < std::min(descriptor.kind_count, kind_cap); ++i)
        kinds.emplace_back(view_of(descriptor.kinds[i]));
    std::sort(kinds.begin(), kinds.end());
    return kinds;
}

Result<void> describe(PluginTables& tables, const std::string& library) {
    penstock_error error{};
    error.struct_size = sizeof error;
    penstock_descriptor own;
    const auto code = guarded(error, [&] {
        return tables.entry.plugin_count != 0 && copy_sized(own, tables.entry.describe(0)) ? 0 : PENSTOCK_E_MALFORMED;
    });
    if (code == PENSTOCK_E_MALFORMED)
        return Error{ErrorCode::malformed, printable(library) + " does not describe itself"};
    if (code != 0) return from_error(code, error).within("describing " + printable(library));
    tables.description = {std::string{view_of(own.id)}, std::string{view_of(own.version)}, kinds_of(own),
                          own.thread_model};
    return {};
}

Result<void> take_extensions(PluginTables& tables, const std::string& library) {
    penstock_error error{};
    error.struct_size = sizeof error;
    const void *core = nullptr, *native = nullptr;
    const auto code = guarded(error, [&] {
        core = tables.entry.get_extension(0, PENSTOCK_EXT_CORE);
        native = tables.entry.get_extension(0, PENSTOCK_EXT_NATIVE_LIMIT);
        return 0;
    });
    if (code != 0) return from_error(code, error).within("asking for the extensions of " + printable(library));

    const auto incomplete = [&](const char* extension) {
        return Error{ErrorCode::malformed, fmt::format("{} does not offer all of {}", printable(library), extension)};
    };
    auto& own = tables.core;
    if (!copy_sized(own, static_cast<const penstock_core_v1*>(core)) || own.probe == nullptr ||
        own.enumerate_instances == nullptr || own.enumerate_disks == nullptr || own.enumerate_actors == nullptr)
        return incomplete(PENSTOCK_EXT_CORE);
    if (native == nullptr) return {};
    auto& limiter = tables.native;
    if (!copy_sized(limiter, static_cast<const penstock_native_limit_v1*>(native)) || limiter.support == nullptr ||
        limiter.read == nullptr || limiter.apply == nullptr || limiter.clear == nullptr)
        return incomplete(PENSTOCK_EXT_NATIVE_LIMIT);
    return {};
}

} // namespace

Result<PluginTables> read_tables(const std::string& library) {
    auto entry = load_entry(library);
    if (!entry) return std::move(entry.error());
    PluginTables tables;
    tables.entry = *entry;
    if (auto done = describe(tables, library); !done) return done.error();
    if (auto done = take_extensions(tables, library); !done) return done.error();
    return tables;
}

} // namespace penstock
