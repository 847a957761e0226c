// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.hpp>

#include <string>
#include <vector>

namespace penstock::lxc {

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
};

// False: the host wants no more.
bool emit(const Disk& disk, const sdk::Sink<penstock_disk>& sink);

// Makes `wanted` differ from every target of `disks`: "data", "data-2", ...
std::string unique_target(const std::vector<Disk>& disks, std::string wanted);

} // namespace penstock::lxc
