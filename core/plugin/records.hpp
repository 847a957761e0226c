// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

using Deadline = std::chrono::steady_clock::time_point;

enum class ProbeStatus : std::uint8_t { present, absent, broken };

// One component that a plugin looked for on the host.
struct ProbeLine {
    ProbeStatus status = ProbeStatus::absent;
    std::string component, version, detail;
};

enum class Support : std::uint8_t { none, emulated, native };

// What a hypervisor's limiter can do with one field; `field` is a bit of penstock_limits.present.
struct FieldSupport {
    Support support = Support::none;
    std::uint64_t field = 0, minimum = 0, maximum = 0, granularity = 1;
};

// What was listed, and why it may not be all.
template <class T>
struct Listing {
    std::vector<T> items;
    std::optional<Error> incomplete;
};

} // namespace penstock
