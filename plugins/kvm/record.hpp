// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.hpp>

#include <string>
#include <vector>

namespace penstock::kvm {

// A layer and a disk that own their strings until they are emitted.
struct Layer {
    std::uint32_t kind = PENSTOCK_LAYER_UNKNOWN;
    std::uint32_t flags = 0;
    std::string format, path, uri, node;
    std::uint32_t st_dev_major = 0, st_dev_minor = 0;
    std::uint32_t rdev_major = 0, rdev_minor = 0;
};

struct Disk {
    std::string target;
    std::string native_id;
    std::string driver;
    std::string note;
    std::uint32_t flags = 0;
    std::uint32_t cache_mode = PENSTOCK_CACHE_UNKNOWN;
    std::vector<Layer> layers;
    std::vector<std::string> iothreads; // that serve it; empty: the main thread, or not known
    std::string alias;                  // libvirt's name of the device
    bool passthrough = false;           // its I/O does not go through QEMU's block layer

    void remark(std::string_view sentence) {
        if (!note.empty()) note += "; ";
        note += sentence;
    }
};

// False: the host wants no more.
bool emit(const Disk& disk, const sdk::Sink<penstock_disk>& sink);

// Gives each disk a target that no other one has: "vda", "vda-2", ...
void make_targets_unique(std::vector<Disk>& disks);

// "virtio" for virtio-blk-pci and so on; empty: unknown.
std::string_view bus_of(std::string_view driver);

// Requests that a guest sends by SCSI pass-through, or to another process, never meet QEMU's limiter.
bool bypasses_limiter(std::string_view driver);
inline constexpr std::string_view bypass_note = "QEMU's own limiter does not see the I/O of this kind of device";

} // namespace penstock::kvm
