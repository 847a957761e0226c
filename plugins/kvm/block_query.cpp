// SPDX-License-Identifier: Apache-2.0
#include "block_query.hpp"

#include "device_name.hpp"
#include "image_source.hpp"

#include <penstock/disk_record.hpp>

#include <algorithm>

namespace penstock::kvm {

namespace {

constexpr std::size_t layer_cap = 256;
constexpr std::size_t disk_cap = 1024;

constexpr std::string_view rate_keys[PENSTOCK_RATE_COUNT] = {"bps_rd", "bps_wr", "bps", "iops_rd", "iops_wr", "iops"};

const boost::json::value* find_node(const boost::json::value& nodes, auto&& matches) {
    for (const auto& node : array_of(nodes)) {
        if (matches(node)) return &node;
    }
    return nullptr;
}

bool is_direct(const boost::json::value& node) {
    const auto* cache = member(node, "cache");
    return cache != nullptr && flag_of(*cache, "direct");
}

// QEMU names no edges of its node graph; a format node and the protocol node below it show the same file.
sdk::OwnedLayer layer_of(const boost::json::value& image, const boost::json::value& nodes) {
    sdk::OwnedLayer layer;
    layer.format = text_of(image, "format");
    const auto file = text_of(image, "filename");
    const auto* protocol = find_node(
        nodes, [&](const auto& node) { return text_of(node, "file") == file && is_protocol(text_of(node, "drv")); });
    const auto* format = find_node(
        nodes, [&](const auto& node) { return text_of(node, "file") == file && text_of(node, "drv") == layer.format; });
    set_source(layer, protocol == nullptr ? "" : text_of(*protocol, "drv"), file);
    if (format != nullptr) {
        layer.node = text_of(*format, "node-name");
        if (flag_of(*format, "ro")) layer.flags |= PENSTOCK_LAYER_READ_ONLY;
    }
    if (protocol != nullptr || format != nullptr)
        set_direct(layer, is_direct(protocol != nullptr ? *protocol : *format));
    return layer;
}

void add_layers(Disk& disk, const boost::json::value& inserted, const boost::json::value& nodes) {
    for (const auto* image = member(inserted, "image"); image != nullptr && disk.layers.size() < layer_cap;
         image = member(*image, "backing-image")) {
        const auto format = text_of(*image, "format");
        if (format == "throttle")
            disk.remark("a throttle filter node limits it too: that limit is set with QEMU's throttle-group object and "
                        "not shown here");
        if (is_filter(format) && member(*image, "backing-image") != nullptr) continue;
        disk.layers.push_back(layer_of(*image, nodes));
    }
    if (disk.layers.empty()) return;
    auto& top = disk.layers.front();
    if (text_of(inserted, "drv") == top.format) top.node = text_of(inserted, "node-name");
    if ((top.flags & PENSTOCK_LAYER_DIRECT) != 0) disk.cache_mode = PENSTOCK_CACHE_DIRECT;
    if ((top.flags & PENSTOCK_LAYER_BUFFERED) != 0) disk.cache_mode = PENSTOCK_CACHE_BUFFERED;
}

} // namespace

std::vector<Disk> disks_of_query(const boost::json::value& blocks, const boost::json::value& nodes) {
    std::vector<Disk> disks;
    for (const auto& block : array_of(blocks)) {
        const auto qdev = text_of(block, "qdev");
        if (qdev.empty() || disks.size() >= disk_cap) continue;
        Disk disk;
        disk.native_id = qdev;
        if (flag_of(block, "removable")) disk.flags |= PENSTOCK_DISK_REMOVABLE;
        std::string_view node;
        if (const auto* inserted = member(block, "inserted"); inserted != nullptr && inserted->is_object()) {
            node = text_of(*inserted, "node-name");
            if (flag_of(*inserted, "ro")) disk.flags |= PENSTOCK_DISK_READ_ONLY;
            disk.flags |= PENSTOCK_DISK_NATIVE_LIMIT;
            add_layers(disk, *inserted, nodes);
        } else {
            disk.flags |= PENSTOCK_DISK_EMPTY;
        }
        disk.target = target_name(device_id(qdev), text_of(block, "device"), node);
        disks.push_back(std::move(disk));
    }
    return disks;
}

std::optional<BlockState> find_block(const boost::json::value& blocks, std::string_view qdev) {
    for (const auto& block : array_of(blocks)) {
        if (qdev.empty() || text_of(block, "qdev") != qdev) continue;
        BlockState state;
        const auto* inserted = member(block, "inserted");
        if (inserted == nullptr) {
            state.empty = true;
            return state;
        }
        auto& throttle = state.throttle;
        for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
            const std::string key{rate_keys[r]};
            throttle.rate[r] = number_of(*inserted, key);
            throttle.burst[r] = number_of(*inserted, key + "_max");
            throttle.seconds[r] =
                throttle.burst[r] == 0 ? 0 : std::max<std::uint64_t>(number_of(*inserted, key + "_max_length"), 1);
        }
        throttle.io_size = number_of(*inserted, "iops_size");
        const auto group = text_of(*inserted, "group");
        // Without a name QEMU makes a group of the disk's own, called after what the command named it by.
        const bool own =
            group.empty() || group == qdev || group == device_id(qdev) || group == text_of(block, "device");
        if (!own) throttle.group = group;
        state.own_group = own && !group.empty() ? group : qdev;
        return state;
    }
    return std::nullopt;
}

boost::json::object throttle_arguments(std::string_view qdev, const Throttle& throttle, std::string_view own_group) {
    boost::json::object out;
    out["id"] = qdev;
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        const std::string key{rate_keys[r]};
        out[key] = throttle.rate[r];
        out[key + "_max"] = throttle.burst[r];
        if (throttle.burst[r] != 0) out[key + "_max_length"] = std::max<std::uint64_t>(throttle.seconds[r], 1);
    }
    out["iops_size"] = throttle.io_size;
    // Always said: without it a disk that left a shared group would stay in it.
    out["group"] = throttle.group.empty() ? own_group : std::string_view{throttle.group};
    return out;
}

} // namespace penstock::kvm
