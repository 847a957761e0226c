// SPDX-License-Identifier: Apache-2.0
#include "command_disks.hpp"

#include "device_name.hpp"
#include "image_source.hpp"

#include <algorithm>
#include <set>

namespace penstock::kvm {

namespace {

constexpr std::size_t disk_cap = 1024;

bool is_optical(std::string_view driver) { return driver == "ide-cd" || driver == "scsi-cd"; }

void finish(Disk& disk) {
    if (disk.layers.empty()) {
        disk.flags |= PENSTOCK_DISK_EMPTY;
        return;
    }
    const auto& top = disk.layers.front();
    if ((top.flags & PENSTOCK_LAYER_READ_ONLY) != 0) disk.flags |= PENSTOCK_DISK_READ_ONLY;
    if ((top.flags & PENSTOCK_LAYER_DIRECT) != 0) disk.cache_mode = PENSTOCK_CACHE_DIRECT;
    if ((top.flags & PENSTOCK_LAYER_BUFFERED) != 0) disk.cache_mode = PENSTOCK_CACHE_BUFFERED;
    if (disk.layers.size() == 1 && top.format != "raw" && !is_protocol(top.format))
        disk.remark("backing files that the image itself names are not known");
}

Disk disk_of_device(const CommandLine& command, const Options& device) {
    Disk disk;
    disk.set_driver(device.get("driver"));
    const auto drive = device.get("drive");
    disk.target = target_name(device.get("id"), drive, drive);
    disk.iothreads = iothreads_of(command, device);
    if (is_optical(disk.driver)) disk.flags |= PENSTOCK_DISK_REMOVABLE | PENSTOCK_DISK_READ_ONLY;
    if (is_foreign_disk(disk.driver)) {
        disk.passthrough = true;
        disk.remark(bypass_note);
        sdk::OwnedLayer layer;
        layer.kind = PENSTOCK_LAYER_OTHER;
        layer.format = disk.driver;
        disk.layers.push_back(std::move(layer));
        return disk;
    }
    disk.layers = layers_of_node(command, drive);
    if (bypasses_limiter(disk.driver)) {
        disk.passthrough = true;
        disk.remark(bypass_note);
    }
    finish(disk);
    return disk;
}

// -drive if=virtio and so on: QEMU makes the device by itself and names the drive ide0-hd0, virtio0.
Disk disk_of_drive(const CommandLine& command, const Options& drive, std::string_view bus, int index) {
    Disk disk;
    const bool optical = drive.get("media") == "cdrom";
    disk.target = drive.get("id");
    if (disk.target.empty()) {
        const auto unit = std::to_string(bus == "ide" ? index % 2 : index);
        if (bus == "ide")
            disk.target = "ide" + std::to_string(index / 2) + (optical ? "-cd" : "-hd") + unit;
        else if (bus == "scsi")
            disk.target = std::string{"scsi0"} + (optical ? "-cd" : "-hd") + unit;
        else
            disk.target = std::string{bus} + unit;
    }
    disk.set_driver(bus == "virtio" ? "virtio-blk-pci"
                    : bus == "ide"  ? (optical ? "ide-cd" : "ide-hd")
                                    : std::string{bus});
    if (optical) disk.flags |= PENSTOCK_DISK_READ_ONLY;
    if (optical || bus == "floppy") disk.flags |= PENSTOCK_DISK_REMOVABLE;
    if (!drive.get("file").empty() || drive.any_below("file.")) {
        // layers_of_node goes by name, which this drive may lack.
        CommandLine single;
        single.blockdevs = command.blockdevs;
        single.drives.push_back(drive);
        single.drives.back().add("id", "\x01own");
        disk.layers = layers_of_node(single, "\x01own");
    }
    finish(disk);
    return disk;
}

} // namespace

bool is_foreign_disk(std::string_view driver) {
    return driver.starts_with("vhost-user-blk") || driver.starts_with("vhost-user-scsi") ||
           driver.starts_with("vhost-scsi");
}

std::vector<Disk> disks_of_command(const CommandLine& command) {
    std::vector<Disk> disks;
    std::set<std::string_view> used;
    for (const auto& device : command.devices) {
        if (disks.size() >= disk_cap) return disks;
        const auto drive = device.get("drive");
        const auto driver = device.get("driver");
        if (!drive.empty()) used.insert(drive);
        if (!drive.empty() || is_optical(driver) || is_foreign_disk(driver))
            disks.push_back(disk_of_device(command, device));
    }
    std::vector<std::pair<std::string, int>> next;
    for (const auto& drive : command.drives) {
        if (disks.size() >= disk_cap) return disks;
        const auto bus = drive.get("if").empty() ? std::string_view{"ide"} : drive.get("if");
        if (bus == "none" || used.contains(drive.get("id"))) continue;
        auto counter = std::find_if(next.begin(), next.end(), [&](const auto& entry) { return entry.first == bus; });
        if (counter == next.end()) counter = next.insert(next.end(), {std::string{bus}, 0});
        const auto given = drive.get("index");
        const int index = given.size() == 1 && given[0] >= '0' && given[0] <= '9' ? given[0] - '0' : counter->second;
        counter->second = index + 1;
        disks.push_back(disk_of_drive(command, drive, bus, index));
    }
    return disks;
}

} // namespace penstock::kvm
