// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <algorithm>

namespace penstock::lxc {

bool emit(const Disk& disk, const sdk::Sink<penstock_disk>& sink) {
    std::vector<penstock_layer> layers;
    for (const auto& layer : disk.layers) {
        penstock_layer record{};
        record.struct_size = sizeof record;
        record.kind = layer.kind;
        record.flags = layer.flags;
        record.format = sdk::str(layer.format);
        record.path = sdk::str(layer.path);
        record.uri = sdk::str(layer.uri);
        record.node = sdk::str(layer.node);
        record.st_dev_major = layer.st_dev_major;
        record.st_dev_minor = layer.st_dev_minor;
        record.rdev_major = layer.rdev_major;
        record.rdev_minor = layer.rdev_minor;
        layers.push_back(record);
    }
    penstock_disk record{};
    record.flags = disk.flags;
    record.cache_mode = disk.cache_mode;
    record.layer_count = static_cast<std::uint32_t>(layers.size());
    record.layer_stride = sizeof(penstock_layer);
    record.layers = layers.data();
    record.target = sdk::str(disk.target);
    record.native_id = sdk::str(disk.native_id);
    record.driver = sdk::str(disk.driver);
    record.note = sdk::str(disk.note);
    return sink(record);
}

std::string unique_target(const std::vector<Disk>& disks, std::string wanted) {
    const auto taken = [&](const std::string& target) {
        return std::any_of(disks.begin(), disks.end(), [&](const Disk& disk) { return disk.target == target; });
    };
    if (!taken(wanted)) return wanted;
    for (int suffix = 2;; ++suffix) {
        auto target = wanted + "-" + std::to_string(suffix);
        if (!taken(target)) return target;
    }
}

} // namespace penstock::lxc
