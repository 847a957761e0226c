// SPDX-License-Identifier: Apache-2.0
#include "plan/floor.hpp"

#include "base/size.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

constexpr double request_bytes = 1 << 20;

// An iops limit counts a request after the kernel has split it, or in units of io_size.
double wait(const Limits& limits, Rate rate) {
    if (!limits[rate]) return 0;
    const auto value = static_cast<double>(*limits[rate]);
    if (is_bandwidth(rate)) return request_bytes / value;
    const double requests = limits.io_size ? std::max(1.0, request_bytes / static_cast<double>(*limits.io_size)) : 1.0;
    return requests / value;
}

} // namespace

double worst_wait_seconds(const Limits& limits) {
    double worst = 0;
    for (const auto rate : all_rates) worst = std::max(worst, wait(limits, rate));
    return worst;
}

std::optional<Error> floor_problem(const Limits& limits) {
    for (const auto rate : all_rates) {
        const auto seconds = wait(limits, rate);
        if (seconds <= longest_wait_seconds) continue;
        const auto least =
            is_bandwidth(rate)
                ? fmt::format("{} bytes per second",
                              static_cast<std::uint64_t>(request_bytes / longest_wait_seconds) + 1)
                : fmt::format("{:.0f} requests per second",
                              wait(limits, rate) * static_cast<double>(*limits[rate]) / longest_wait_seconds);
        return Error{ErrorCode::refused,
                     fmt::format("{} {} makes one request of 1 MiB wait {:.0f} s ({}), more than {:.0f} s: guests give "
                                 "a disk up after 30 to 60 s",
                                 name(rate), *limits[rate], seconds,
                                 is_bandwidth(rate) ? fmt::format("1048576 B / {} B/s", *limits[rate])
                                                    : fmt::format("1048576 B / {} B requests / {} per s",
                                                                  limits.io_size.value_or(1 << 20), *limits[rate]),
                                 longest_wait_seconds)}
            .advise(fmt::format("set at least {}, or add --force", least));
    }
    return std::nullopt;
}

} // namespace penstock
