// SPDX-License-Identifier: Apache-2.0
#include "cli/session.hpp"

#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "cli/report.hpp"
#include "resolve/address.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace penstock {
namespace {

Roots journal_roots(const Arguments& arguments) {
    Roots roots;
    if (arguments.has("run-dir")) roots.run = arguments.options["run-dir"].as<std::string>();
    return roots;
}

std::string own_directory() {
    std::array<char, PATH_MAX> path;
    const auto n = ::readlink("/proc/self/exe", path.data(), path.size());
    const std::string text{path.data(), n < 0 ? 0U : static_cast<std::size_t>(n)};
    return text.substr(0, text.find_last_of('/'));
}

std::optional<std::string> real_path(const std::string& path) {
    std::array<char, PATH_MAX> resolved;
    if (::realpath(path.c_str(), resolved.data()) == nullptr) return std::nullopt;
    return resolved.data();
}

// Beside the program, so that an installation can be moved and a build tree works; where nothing is there, the
// directory that was compiled in. Wherever it is, each plugin must pass the trust check.
std::vector<std::string> plugin_directories(const Arguments& arguments) {
    if (arguments.has("plugin-dir")) {
        const auto& given = arguments.options["plugin-dir"].as<std::string>();
        if (auto path = real_path(given)) return {*path};
        warn(Error::from_errno(errno, "--plugin-dir " + printable(given)));
        return {};
    }
    const auto here = own_directory();
    for (const auto& candidate : {here + "/../" PENSTOCK_LIBDIR "/penstock/plugins", here + "/../plugins"})
        if (auto path = real_path(candidate)) return {*path};
    return {PENSTOCK_PLUGIN_DIR};
}

// The process that holds a plugin: beside the program in a build tree, else where it is installed.
std::string plugin_host() {
    const auto here = own_directory();
    for (const auto& candidate :
         {here + "/penstock-plugin-host", here + "/../" PENSTOCK_LIBEXECDIR "/penstock/penstock-plugin-host"})
        if (auto path = real_path(candidate)) return *path;
    return PENSTOCK_FULL_LIBEXECDIR "/penstock/penstock-plugin-host";
}

// Penstock's own plugins are tested with it and run in its process; others get one of their own, unless told otherwise.
Isolation isolation_of(const std::string& wanted, std::string_view plugin) {
    static constexpr std::array<std::string_view, 3> own{"org.penstock.kvm", "org.penstock.lxc", "org.penstock.xen"};
    if (wanted == "process") return Isolation::process;
    if (wanted == "in-process") return Isolation::in_process;
    return std::find(own.begin(), own.end(), plugin) != own.end() ? Isolation::in_process : Isolation::process;
}

HostOptions host_options(const Arguments& arguments) {
    HostOptions options;
    const auto wanted = arguments.has("isolation") ? arguments.options["isolation"].as<std::string>() : "auto";
    options.isolation = [wanted](std::string_view plugin) { return isolation_of(wanted, plugin); };
    options.plugin_host = plugin_host();
    const bool debug = arguments.has("debug");
    options.log = [debug](auto level, std::string_view plugin, std::string_view message) {
        if (debug || static_cast<unsigned>(level) >= PENSTOCK_LOG_WARNING)
            fmt::print(stderr, "penstock: {}: {}\n", plugin, printable(message));
    };
    return options;
}

} // namespace

Session::Session(const Arguments& arguments)
    : plugins_{plugin_directories(arguments), host_options(arguments)},
      inventory_{Roots{}, plugins_}, journal_{journal_roots(arguments)} {}

Result<Inventory::Found> Session::find(const std::string& address) {
    auto found = inventory_.find(address);
    if (found || found.error().code() != ErrorCode::not_found) return found;
    std::vector<Instance> ended;
    for (const auto& record : journal_.load_all()) ended.push_back({.key = record.key, .name = record.name});
    const auto match = match_address(address, ended);
    if (!match) return found;
    return Error{ErrorCode::gone, address_of(*match->instance) + " has ended, and its limits with it"}.advise(
        "start it, then 'penstock set' applies them again");
}

Result<const DiskView*> Session::pick_disk(const Inventory::Found& found) {
    const auto& view = found.view;
    const auto address = address_of(view.instance);
    std::vector<std::string> targets;
    for (const auto& disk : view.disks) targets.push_back(disk.disk.target);
    const auto all = printable(fmt::format("{}", fmt::join(targets, ", ")));
    if (!found.disk.empty()) {
        if (const auto* disk = view.find(found.disk)) return disk;
        auto next = suggest(found.disk, targets);
        if (next.empty()) next = targets.empty() ? "see 'penstock show " + address + "'" : "its disks are: " + all;
        return Error{ErrorCode::not_found, fmt::format("{} has no disk '{}'", address, printable(found.disk))}.advise(
            std::move(next));
    }
    if (view.disks.size() == 1) return &view.disks.front();
    if (view.disks.empty()) {
        if (!view.troubles.empty()) return view.troubles.front();
        return Error{ErrorCode::not_found, address + " has no disks"};
    }
    return Error{ErrorCode::invalid, fmt::format("{} has {} disks", address, targets.size())}.advise(fmt::format(
        "name one of them, for example {}; there are: {}", address_of(view.instance, targets.front()), all));
}

Session::Entry Session::entry_of(InstanceView view, Depth depth) {
    const auto record = journal_.load(view.instance.key);
    auto disks = check(inventory_, view, record && *record ? &**record : nullptr, depth);
    return {std::move(view), std::move(disks)};
}

std::vector<Session::Entry> Session::survey(Depth depth, std::vector<Error>& warnings) {
    auto list = inventory_.list();
    warnings = std::move(list.warnings);
    std::vector<Entry> entries;
    for (auto& view : inventory_.view_all(list.instances, warnings))
        entries.push_back(entry_of(std::move(view), depth));
    return entries;
}

} // namespace penstock
