// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <set>

namespace penstock::kvm {

bool emit(const Disk& disk, const sdk::Sink<penstock_disk>& sink) {
    std::vector<penstock_layer> layers;
    layers.reserve(disk.layers.size());
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
    record.bus = sdk::str(bus_of(disk.driver));
    record.note = sdk::str(disk.note);
    return sink(record);
}

void make_targets_unique(std::vector<Disk>& disks) {
    std::set<std::string> taken;
    for (auto& disk : disks) {
        if (disk.target.empty()) disk.target = "disk";
        const auto wanted = disk.target;
        for (int n = 2; !taken.insert(disk.target).second; ++n) disk.target = wanted + "-" + std::to_string(n);
    }
}

std::string_view bus_of(std::string_view driver) {
    if (driver.starts_with("virtio") || driver.starts_with("vhost-user-blk")) return "virtio";
    for (const std::string_view bus : {"scsi", "ide", "usb", "nvme", "floppy", "sd"}) {
        if (driver.starts_with(bus)) return bus;
    }
    if (driver.starts_with("vhost-scsi") || driver.starts_with("vhost-user-scsi")) return "scsi";
    if (driver.starts_with("cfi.pflash")) return "pflash";
    return driver.starts_with("vfio-pci") ? "pci" : "";
}

bool bypasses_limiter(std::string_view driver) {
    return driver == "scsi-block" || driver == "scsi-generic" || driver.starts_with("vhost-user") ||
           driver.starts_with("vhost-scsi") || driver.starts_with("vfio-");
}

} // namespace penstock::kvm
