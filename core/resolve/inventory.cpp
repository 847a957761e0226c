// SPDX-License-Identifier: Apache-2.0
#include "resolve/inventory.hpp"

#include "resolve/address.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace penstock {
namespace {

using namespace std::chrono_literals;
constexpr auto list_deadline = 800ms; // a peer that hangs must not keep the others from being listed within a second
constexpr auto single_deadline = 5s;
constexpr unsigned most_threads = 16; // they wait for peers, not for the processor

Deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

} // namespace

Inventory::Inventory(Roots roots, PluginSet& plugins)
    : roots_{std::move(roots)}, plugins_{plugins}, hierarchy_{find_io_hierarchy(roots_)} {}

InstanceList Inventory::list(std::string_view kind) {
    InstanceList list;
    for (const auto& entry : plugins_.entries()) {
        const auto& kinds = entry.manifest.kinds;
        if (!kind.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
        const auto plugin = plugins_.get(entry);
        if (!plugin) {
            list.warnings.push_back(Error{plugin.error()}.within("plugin " + entry.manifest.id));
            continue;
        }
        auto found = (*plugin)->instances(in(list_deadline));
        if (!found) {
            list.warnings.push_back(std::move(found.error()).within("plugin " + entry.manifest.id));
            continue;
        }
        if (found->incomplete) list.warnings.push_back(Error{*found->incomplete}.within("plugin " + entry.manifest.id));
        std::move(found->items.begin(), found->items.end(), std::back_inserter(list.instances));
    }
    std::sort(list.instances.begin(), list.instances.end(), [](const Instance& a, const Instance& b) {
        return std::tie(a.key.kind, a.name, a.key.id) < std::tie(b.key.kind, b.name, b.key.id);
    });
    return list;
}

Result<Inventory::Found> Inventory::find(std::string_view address) {
    std::vector<std::string> kinds;
    for (const auto& entry : plugins_.entries())
        kinds.insert(kinds.end(), entry.manifest.kinds.begin(), entry.manifest.kinds.end());
    const auto list = this->list(kind_of_address(address, kinds));
    auto match = match_address(address, list.instances);
    if (!match && match.error().code() == ErrorCode::not_found && !list.warnings.empty())
        return std::move(match.error()).advise("not everything could be listed: " + list.warnings.front().text());
    if (!match) return match.error();
    const auto& instance = *match->instance;
    auto* plugin = plugins_.find(instance.key.kind); // it has just listed the instance, so it is there
    if (plugin == nullptr) return Error{ErrorCode::internal, "no plugin for kind " + instance.key.kind};
    auto view = view_instance(roots_, hierarchy_, *plugin, instance, in(single_deadline));
    if (!view) return view.error();
    return Found{*std::move(view), match->disk, plugin};
}

std::vector<InstanceView> Inventory::view_all(const std::vector<Instance>& instances, std::vector<Error>& warnings) {
    std::vector<std::optional<Result<InstanceView>>> results(instances.size());
    const auto deadline = in(list_deadline);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (auto i = next++; i < instances.size(); i = next++)
            if (auto* plugin = plugins_.find(instances[i].key.kind))
                results[i] = view_instance(roots_, hierarchy_, *plugin, instances[i], deadline);
    };
    const auto count = std::min<std::size_t>(most_threads, instances.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
    threads.clear();

    std::vector<InstanceView> views;
    for (auto& result : results) {
        if (!result) continue;
        if (*result)
            views.push_back(**std::move(result));
        else if (result->error().code() != ErrorCode::gone)
            warnings.push_back(result->error());
    }
    return views;
}

} // namespace penstock
