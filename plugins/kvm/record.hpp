// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/disk_record.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace penstock::kvm {

// A disk with what is known of it besides what the host is told.
struct Disk : sdk::OwnedDisk {
    std::vector<std::string> iothreads; // that serve it; empty: the main thread, or not known
    std::string alias;                  // libvirt's name of the device
    bool passthrough = false;           // its I/O does not go through QEMU's block layer

    void set_driver(std::string_view name); // and the bus that belongs to it

    void remark(std::string_view sentence) {
        if (!note.empty()) note += "; ";
        note += sentence;
    }
};

// Gives each disk a target that no other one has: "vda", "vda-2", ...
void make_targets_unique(std::vector<Disk>& disks);

// "virtio" for virtio-blk-pci and so on; empty: unknown.
std::string_view bus_of(std::string_view driver);

// Requests that a guest sends by SCSI pass-through, or to another process, never meet QEMU's limiter.
bool bypasses_limiter(std::string_view driver);
inline constexpr std::string_view bypass_note = "QEMU's own limiter does not see the I/O of this kind of device";

} // namespace penstock::kvm
