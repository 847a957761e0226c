// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"
#include "model/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

// cgroup v1 `blkio.throttle.{read,write}_{bps,iops}_device` (Documentation/admin-guide/cgroup-v1/blkio-controller.rst):
// one line a device, "8:16 1048576"; writing 0 removes the line.

std::string throttle_v1_file(Rate rate); // not for totals
std::optional<std::uint64_t> parse_throttle_v1(std::string_view text, DeviceNumber device);
std::string format_throttle_v1(DeviceNumber device, std::optional<std::uint64_t> value);

} // namespace penstock
