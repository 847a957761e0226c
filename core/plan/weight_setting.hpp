// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/weight.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace penstock {

// A weight in one place, on the scale of its policy; nullopt: the device has none of its own.
struct WeightSetting {
    WeightPlace place;
    std::optional<std::uint32_t> value;
    std::optional<std::uint32_t> before; // what was there before us
    bool operator==(const WeightSetting&) const = default;
};

} // namespace penstock
