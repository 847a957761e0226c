// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"
#include "model/limits.hpp"

#include <string>
#include <string_view>

namespace penstock {

// cgroup v2 `io.max` (Documentation/admin-guide/cgroup-v2.rst): one line a device,
// "8:16 rbps=max wbps=1048576 riops=max wiops=max".

// What the file says of one device; empty where it says nothing. Unknown keys are passed over.
Limits parse_io_max(std::string_view text, DeviceNumber device);

// All four keys for one device in one write: the kernel applies them together or not at all. Absent fields are "max".
std::string format_io_max(DeviceNumber device, const Limits& limits);

} // namespace penstock
