// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/iocost_model.hpp"

#include <string>

namespace penstock {

// How long calibrate() takes.
inline constexpr int calibration_seconds = 6;

// What the block device at `node` ("/dev/sda") does when asked for as much as it can: direct reads, 16 at a time, of 1
// MiB in sequence, of 4 KiB in sequence, and of 4 KiB at random places, two seconds each. Nothing is written, so writes
// are taken to cost what reads do. What others do on the device meanwhile is missing in the figures.
Result<IocostModel> calibrate(const std::string& node);

} // namespace penstock
