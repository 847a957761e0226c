// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/sysmacros.h>
#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <string>

namespace penstock {

// major:minor, as cgroup files and sysfs write it. Recycled by the kernel: never an identity by itself.
struct DeviceNumber {
    std::uint32_t major_number = 0;
    std::uint32_t minor_number = 0;
    auto operator<=>(const DeviceNumber&) const = default;

    static DeviceNumber from_dev(dev_t dev) { return {gnu_dev_major(dev), gnu_dev_minor(dev)}; }
    std::string text() const { return std::to_string(major_number) + ":" + std::to_string(minor_number); }
};

} // namespace penstock
