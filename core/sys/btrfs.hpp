// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"
#include "sys/roots.hpp"

#include <vector>

namespace penstock {

// All devices of the mounted Btrfs file system that `member` belongs to (/sys/fs/btrfs/UUID/devices), sorted; empty
// where there is none.
std::vector<DeviceNumber> btrfs_devices(const Roots& roots, DeviceNumber member);

} // namespace penstock
