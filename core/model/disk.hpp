// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

enum class LayerKind : std::uint8_t { unknown, file, block, directory, network, other };
enum class CacheMode : std::uint8_t { unknown, direct, buffered, guest };

// One layer of a backing chain, as the hypervisor says it.
struct Layer {
    LayerKind kind = LayerKind::unknown;
    std::string format;
    std::string path; // as the instance's root_pid sees it
    std::string uri;
    std::string node;
    std::optional<DeviceNumber> file_system; // st_dev of the file
    std::optional<DeviceNumber> device;      // st_rdev of the device node
    bool read_only = false;
    CacheMode cache = CacheMode::unknown;
};

// A disk of an instance, as its plugin reports it. Layers run from the guest down to the base.
struct Disk {
    std::string target;    // vda, xvda, rootfs
    std::string native_id; // what the hypervisor's own limiter takes
    std::string driver;
    std::string bus;
    std::string note;
    CacheMode cache = CacheMode::unknown;
    bool read_only = false;
    bool removable = false;
    bool empty = false;
    bool native_limit = false;
    bool own_process = false; // submitted by processes that serve no other disk
    std::vector<Layer> layers;
};

} // namespace penstock
