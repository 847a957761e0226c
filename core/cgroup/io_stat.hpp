// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/cgroup.hpp"
#include "model/device_number.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace penstock {

// What a cgroup has done to a device since it was made.
struct IoCounters {
    std::uint64_t read_bytes = 0, write_bytes = 0, read_ios = 0, write_ios = 0;
    bool operator==(const IoCounters&) const = default;
};

// v2 io.stat: "8:16 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0"; a bare "7:0" line occurs and says nothing.
std::optional<IoCounters> parse_io_stat(std::string_view text, DeviceNumber device);
// v1 blkio.throttle.io_service_bytes and io_serviced: "8:16 Read 4096". nullopt: the kernel has not counted, which is
// not 0: v1 counts only while the cgroup has a rule for the device.
std::optional<IoCounters> parse_io_service(std::string_view bytes, std::string_view ios, DeviceNumber device);

Result<std::optional<IoCounters>> read_io_counters(const Cgroup& cgroup, DeviceNumber device);

} // namespace penstock
