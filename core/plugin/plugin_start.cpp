// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin.hpp"

#include "base/text.hpp"
#include "plugin/convert.hpp"
#include "plugin/guarded.hpp"
#include "plugin/remote.hpp"
#include "plugin/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace penstock {
namespace {

penstock_error empty_error() {
    penstock_error error{};
    error.struct_size = sizeof error;
    return error;
}

} // namespace

Plugin::Plugin(const PluginEntry& entry, const HostOptions& options)
    : manifest_{entry.manifest}, library_{entry.library}, host_{HostTable::make(options, entry.manifest.id)} {}

Plugin::~Plugin() {
    auto error = empty_error();
    if (self_ != nullptr && !remote_) guarded(error, [&] { return entry_.destroy(self_), 0; });
    host_.close();
}

Result<std::unique_ptr<Plugin>> Plugin::load(const PluginEntry& entry, const HostOptions& options) {
    if (entry.refused) return *entry.refused;
    std::unique_ptr<Plugin> plugin{new Plugin{entry, options}};
    const bool apart = options.isolation && options.isolation(entry.manifest.id) == Isolation::process;
    if (auto started = apart ? plugin->start_apart(options) : plugin->start(); !started)
        return std::move(started.error());
    return plugin;
}

Result<void> Plugin::start() {
    auto tables = read_tables(library_);
    if (!tables) return std::move(tables.error());
    if (auto same = compare(tables->description); !same) return same;
    entry_ = tables->entry;
    core_ = tables->core;
    native_ = tables->native;
    turns_.set_model(tables->description.thread_model);
    auto error = empty_error();
    const auto code = guarded(error, [&] { return entry_.create(0, host_.contract(), &self_, &error); });
    if (code == 0) return {};
    self_ = nullptr;
    return from_error(code, error).within("starting " + printable(library_));
}

// One call at a time, whatever the plugin's threads could do: there is one socket.
Result<void> Plugin::start_apart(const HostOptions& options) {
    remote_ = std::make_unique<RemotePlugin>(library_, options, host_);
    const auto offer = remote_->start();
    if (!offer) return offer.error();
    if (auto same = compare(offer->description); !same) return same;
    core_ = RemotePlugin::core_table();
    if (offer->native_limit) native_ = RemotePlugin::native_table();
    self_ = remote_.get();
    return {};
}

// The library has to be what the manifest says.
Result<void> Plugin::compare(const Description& own) const {
    const auto differs = [&](std::string_view what, std::string_view theirs, std::string_view ours) {
        return Error{ErrorCode::conflict, fmt::format("{} says that its {} '{}', its manifest says '{}'",
                                                      printable(library_), what, printable(theirs), printable(ours))}
            .advise("install library and manifest of the same release");
    };
    if (own.id != manifest_.id) return differs("id is", own.id, manifest_.id);
    auto expected = manifest_.kinds;
    std::sort(expected.begin(), expected.end());
    if (own.kinds != expected)
        return differs("kinds are", fmt::format("{}", fmt::join(own.kinds, " ")),
                       fmt::format("{}", fmt::join(expected, " ")));
    if (own.version != manifest_.version)
        host_.log(PENSTOCK_LOG_WARNING, fmt::format("the library is version {}, its manifest says {}",
                                                    printable(own.version), manifest_.version));
    return {};
}

} // namespace penstock
