// SPDX-License-Identifier: Apache-2.0
#include "resolve/view.hpp"

#include "resolve/address.hpp"
#include "resolve/layer.hpp"

#include <algorithm>

namespace penstock {

const DiskView* InstanceView::find(std::string_view target) const {
    const auto found =
        std::find_if(disks.begin(), disks.end(), [&](const DiskView& d) { return d.disk.target == target; });
    return found == disks.end() ? nullptr : &*found;
}

namespace {

// A limit acts on all I/O of the instance that passes through its device, wherever that comes from above.
void find_shared_device(DiskView& disk, const std::vector<DiskView>& all) {
    disk.shares_device_with.clear();
    if (!disk.chain.device) return;
    for (const auto& other : all)
        if (other.disk.target != disk.disk.target &&
            std::any_of(other.chain.links.begin(), other.chain.links.end(),
                        [&](const ChainLink& link) { return link.device == disk.chain.device->number; }))
            disk.shares_device_with.push_back(other.disk.target);
}

} // namespace

Result<DiskView> InstanceView::at_layer(const Roots& roots, const DiskView& disk, std::string_view layer) const {
    auto chosen = disk;
    if (layer.empty()) return chosen;
    auto chain = penstock::at_layer(roots, disk.chain, layer);
    if (!chain) return std::move(chain.error()).within(address_of(instance, disk.disk.target));
    chosen.chain = *std::move(chain);
    find_shared_device(chosen, disks);
    return chosen;
}

DiskFacts InstanceView::facts(const DiskView& disk) const {
    return {&disk.disk, &disk.chain, placement ? &*placement : nullptr, no_hierarchy, disk.shares_device_with};
}

Result<InstanceView> view_instance(const Roots& roots, const Result<Hierarchy>& hierarchy, Plugin& plugin,
                                   const Instance& instance, Deadline deadline) {
    InstanceView view{instance};
    auto disks = plugin.disks(instance.key, deadline);
    if (!disks && disks.error().code() == ErrorCode::gone) return std::move(disks.error()).within(address_of(instance));
    if (!disks)
        view.troubles.push_back(std::move(disks.error()).within("asking for the disks of " + address_of(instance)));
    else {
        if (disks->incomplete) view.troubles.push_back(*disks->incomplete);
        for (auto& disk : disks->items) view.disks.push_back({disk, resolve_chain(roots, instance, disk), {}});
        for (auto& disk : view.disks) find_shared_device(disk, view.disks);
    }
    auto actors = plugin.actors(instance.key, deadline);
    if (!actors && actors.error().code() == ErrorCode::gone)
        return std::move(actors.error()).within(address_of(instance));
    if (!actors) {
        auto trouble = std::move(actors.error()).within("asking for the processes of " + address_of(instance));
        view.no_hierarchy = trouble.text();
        view.troubles.push_back(std::move(trouble));
        return view;
    }
    if (actors->incomplete) view.troubles.push_back(*actors->incomplete);
    view.actors = std::move(actors->items);
    if (hierarchy)
        view.placement = place(roots, *hierarchy, instance, view.actors);
    else
        view.no_hierarchy = hierarchy.error().text();
    return view;
}

} // namespace penstock
