// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace penstock::lxc {

struct DeviceAccess {
    bool read = true;
    bool write = true;
};

// What the device controller of cgroup version 1 allows for a block device: `list` is the text of devices.list.
// (Version 2 decides in a BPF program that says nothing.)
DeviceAccess device_access(std::string_view list, std::uint32_t major, std::uint32_t minor);

} // namespace penstock::lxc
