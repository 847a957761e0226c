// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

// The least, the greatest and the kernel's own weight (Documentation/admin-guide/cgroup-v2.rst, io.weight).
inline constexpr std::uint32_t least_weight = 1, most_weight = 10000, default_weight = 100;

// The six rates that a limit can have. Bandwidth in bytes per second, the others in requests per second.
enum class Rate : std::uint8_t { read_bps, write_bps, total_bps, read_iops, write_iops, total_iops };

inline constexpr std::array all_rates{Rate::read_bps,  Rate::write_bps,  Rate::total_bps,
                                      Rate::read_iops, Rate::write_iops, Rate::total_iops};
inline constexpr std::array<std::string_view, 6> rate_names{"read_bps",  "write_bps",  "total_bps",
                                                            "read_iops", "write_iops", "total_iops"};

constexpr std::size_t index(Rate rate) { return static_cast<std::size_t>(rate); }
constexpr std::string_view name(Rate rate) { return rate_names[index(rate)]; }
constexpr bool is_bandwidth(Rate rate) { return index(rate) < 3; }
constexpr bool is_total(Rate rate) { return rate == Rate::total_bps || rate == Rate::total_iops; }
constexpr bool is_write(Rate rate) { return rate == Rate::write_bps || rate == Rate::write_iops; }

// A higher rate that is allowed for a while after a quiet time.
struct Burst {
    std::uint64_t rate = 0; // per second
    std::uint64_t seconds = 1;
    bool operator==(const Burst&) const = default;
};

// What a disk may do. An absent field is "not set": neither 0 nor unlimited.
struct Limits {
    std::array<std::optional<std::uint64_t>, 6> rates;
    std::array<std::optional<Burst>, 6> bursts;
    std::optional<std::uint64_t> io_size; // bytes that count as one request for iops limits
    std::optional<std::string> group;     // members share one allowance
    std::optional<std::uint32_t> weight;  // share of the device against others, 1 to 10000, as io.weight

    std::optional<std::uint64_t>& operator[](Rate rate) { return rates[index(rate)]; }
    const std::optional<std::uint64_t>& operator[](Rate rate) const { return rates[index(rate)]; }
    std::optional<Burst>& burst(Rate rate) { return bursts[index(rate)]; }
    const std::optional<Burst>& burst(Rate rate) const { return bursts[index(rate)]; }

    bool empty() const { return *this == Limits{}; }
    bool operator==(const Limits&) const = default;
};

// Which fields of Limits: what `clear` removes.
struct LimitFields {
    std::array<bool, 6> rates{};
    std::array<bool, 6> bursts{};
    bool io_size = false;
    bool group = false;
    bool weight = false;

    static LimitFields all() {
        return {{true, true, true, true, true, true}, {true, true, true, true, true, true}, true, true, true};
    }
    bool operator==(const LimitFields&) const = default;
};

// The fields of `change` over those of `base`; what `change` does not set stays.
Limits merged(const Limits& base, const Limits& change);
// `base` without `fields`; a burst goes with its rate, io_size with the last iops rate, the group with the last rate.
Limits without(const Limits& base, const LimitFields& fields);

} // namespace penstock
