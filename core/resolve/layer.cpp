// SPDX-License-Identifier: Apache-2.0
#include "resolve/layer.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

bool is_device(const ChainLink& link) { return link.device && link.what != "file system" && link.what != "image"; }

bool is_named(const ChainLink& link, std::string_view layer) {
    if (layer.starts_with("/dev/mapper/"))
        layer.remove_prefix(12);
    else if (layer.starts_with("/dev/"))
        layer.remove_prefix(5);
    return is_device(link) && !layer.empty() &&
           (link.name == layer || link.alias == layer || link.device->text() == layer);
}

std::string names_of(const BackingChain& chain) {
    std::string names;
    for (const auto& link : chain.links)
        if (is_device(link) && link.what != "partition") names += (names.empty() ? "" : ", ") + link.name;
    return names;
}

} // namespace

Result<BackingChain> at_layer(const Roots& roots, BackingChain chain, std::string_view layer) {
    const auto link = std::find_if(chain.links.begin(), chain.links.end(),
                                   [&](const ChainLink& candidate) { return is_named(candidate, layer); });
    if (link == chain.links.end()) {
        const auto names = names_of(chain);
        return Error{ErrorCode::not_found, fmt::format("the disk has no layer '{}'", printable(layer))}.advise(
            names.empty() ? "no device is known for this disk" : "its layers are: " + names);
    }
    if (chain.device && link->device == chain.device->number) return chain;
    if (link->what == "partition")
        return Error{ErrorCode::unsupported, link->name + " is a partition, which the kernel cannot limit"}.advise(
            "name its disk, one layer below");
    auto device = read_block_device(roots, *link->device);
    if (!device) return device.error();
    chain.device = *std::move(device);
    chain.own_device = false;
    chain.partial = link->partial;
    chain.obstacle.reset();
    return chain;
}

} // namespace penstock
