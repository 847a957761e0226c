// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace penstock::kvm {

inline constexpr std::uint64_t throttle_maximum = 1'000'000'000'000'000; // QEMU's THROTTLE_VALUE_MAX

// The whole setting of QEMU's limiter for one disk; 0 is "no limit". Indexed by PENSTOCK_READ_BPS and so on.
struct Throttle {
    std::array<std::uint64_t, PENSTOCK_RATE_COUNT> rate{};
    std::array<std::uint64_t, PENSTOCK_RATE_COUNT> burst{};
    std::array<std::uint64_t, PENSTOCK_RATE_COUNT> seconds{}; // 0 where there is no burst
    std::uint64_t io_size = 0;
    std::string group; // empty: the disk's own

    bool empty() const;
    bool operator==(const Throttle&) const = default;
};

penstock_limits to_limits(const Throttle& throttle); // borrows the group's name

// Changes `throttle` to what it has to be after `wanted`. An error names the rule and leaves it unchanged.
sdk::Status merge(Throttle& throttle, const penstock_limits& wanted);

// Without the fields of `mask`. What cannot stand without them goes too: the burst of a rate, and the size of a request
// where no iops limit remains.
Throttle without(Throttle throttle, std::uint64_t mask);

std::string_view rate_name(std::size_t rate);

} // namespace penstock::kvm
