// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

namespace penstock::kvm {

void Disk::set_driver(std::string_view name) {
    bus = bus_of(name);
    driver = name;
}

void make_targets_unique(std::vector<Disk>& disks) {
    sdk::UniqueTargets targets;
    for (auto& disk : disks) disk.target = targets.take(disk.target.empty() ? "disk" : disk.target);
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
