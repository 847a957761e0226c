// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

// What a device can do, as iocost's linear model is told (io.cost.model in Documentation/admin-guide/cgroup-v2.rst):
// bandwidth in bytes per second, and requests of 4 KiB per second, one after the other on the disk and at random.
struct IocostModel {
    std::uint64_t rbps = 0, rseqiops = 0, rrandiops = 0;
    std::uint64_t wbps = 0, wseqiops = 0, wrandiops = 0;

    std::string text() const; // "rbps=... rseqiops=... rrandiops=... wbps=... wseqiops=... wrandiops=..."
    bool operator==(const IocostModel&) const = default;
};

// All six numbers, in any order, each at least 1; INVALID names the word that is wrong or missing.
Result<IocostModel> parse_iocost_model(std::string_view text);

// What iocost is told of a device that did `measured`: 85 % of it. iocost shares out what the model says there is. Told
// of more than the device does, it never holds anybody back, and the device serves first come first served
// (docs/weights.md).
IocostModel with_headroom(const IocostModel& measured);

} // namespace penstock
