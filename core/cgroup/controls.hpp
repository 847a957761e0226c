// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/cgroup.hpp"
#include "model/limits.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// One write(2) to a control file.
struct ControlWrite {
    std::string file;
    std::string text;
    bool operator==(const ControlWrite&) const = default;
};

// The writes that turn `before` into `after` for one device: one on v2, one for each changed rate on v1.
std::vector<ControlWrite> control_writes(CgroupVersion version, DeviceNumber device, const Limits& before,
                                         const Limits& after);

inline constexpr std::array cgroup_rates{Rate::read_bps, Rate::write_bps, Rate::read_iops, Rate::write_iops};

// What is set for the device in this cgroup now. On v1 each rate is a file of its own: others than `rates` are not
// read.
Result<Limits> read_limits(const Cgroup& cgroup, DeviceNumber device, std::span<const Rate> rates = cgroup_rates);

// Every device that has a limit in this cgroup.
Result<std::vector<DeviceNumber>> limited_devices(const Cgroup& cgroup);

// Why this cgroup version cannot take the value as it is; nullopt where it can. Asked before the kernel is, since the
// kernel's answer is not to be relied on: v1 wraps iops modulo 2^32 and a wrap to 0 stops all I/O (measured, 6.1); v2
// takes iops from 2^32-1 on as "max".
std::optional<Error> value_problem(CgroupVersion version, Rate rate, std::uint64_t value);

} // namespace penstock
