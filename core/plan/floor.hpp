// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/limits.hpp"

#include <optional>

namespace penstock {

// A guest gives a disk up after 30 s (Linux SCSI) or 60 s (Windows, virtio with a timeout). A limit by which one
// request of 1 MiB alone takes longer than this is refused without --force.
inline constexpr double longest_wait_seconds = 10;

// How long a request of 1 MiB waits by the tightest of these limits, when nothing else is queued.
double worst_wait_seconds(const Limits& limits);

// REFUSED with the arithmetic; nullopt where the limits are above the floor.
std::optional<Error> floor_problem(const Limits& limits);

} // namespace penstock
