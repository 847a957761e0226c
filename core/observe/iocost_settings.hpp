// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/iocost_tuning.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <optional>

namespace penstock {

// What udev's hardware database knows of the device (IOCOST_SOLUTIONS, IOCOST_MODEL_*, IOCOST_QOS_*; systemd 254 and
// newer): of its solutions `isolation`, else the first. Nothing where it knows nothing, or what cannot be understood.
std::optional<IocostSettings> iocost_settings_from_udev(const Roots& roots, const BlockDevice& device);

// Measured now, with headroom; takes calibration_seconds.
Result<IocostSettings> measure_iocost_settings(const Roots& roots, const BlockDevice& device);

} // namespace penstock
