// SPDX-License-Identifier: Apache-2.0
#include "throttle.hpp"

#include <algorithm>

namespace penstock::kvm {

namespace {

constexpr std::string_view names[PENSTOCK_RATE_COUNT] = {"read_bps",  "write_bps",  "total_bps",
                                                         "read_iops", "write_iops", "total_iops"};

sdk::Status malformed(std::string message) { return {PENSTOCK_E_MALFORMED, std::move(message)}; }
sdk::Status conflict(std::string message) { return {PENSTOCK_E_CONFLICT, std::move(message)}; }

sdk::Status check_value(std::uint64_t value, const std::string& what) {
    if (value == 0) return malformed(what + "=0 is no limit for QEMU: clear " + what + " instead");
    if (value > throttle_maximum)
        return malformed(what + "=" + std::to_string(value) + " is above QEMU's maximum, 10^15");
    return {};
}

bool any(const std::array<std::uint64_t, PENSTOCK_RATE_COUNT>& values, std::size_t first) {
    return values[first] != 0 || values[first + 1] != 0;
}

// first: PENSTOCK_READ_BPS or PENSTOCK_READ_IOPS; write and total follow.
sdk::Status check_total(const std::array<std::uint64_t, PENSTOCK_RATE_COUNT>& values, std::size_t first,
                        const penstock_limits& wanted, bool burst) {
    const auto total = first + 2;
    if (values[total] == 0 || !any(values, first)) return {};
    const std::string kind = burst ? " burst" : "";
    const auto bit = [&](std::size_t r) { return burst ? PENSTOCK_LIMIT_BURST(r) : PENSTOCK_LIMIT_RATE(r); };
    const std::string name{names[total]};
    std::string parts;
    for (auto r = first; r < total; ++r) {
        if (values[r] == 0) continue;
        if (!parts.empty()) parts += " and ";
        parts += std::string{names[r]} + kind;
    }
    const bool wants_total = (wanted.present & bit(total)) != 0;
    const bool wants_part = (wanted.present & (bit(first) | bit(first + 1))) != 0;
    if (wants_total && wants_part) return conflict("QEMU takes either " + name + kind + " or " + parts + ", not both");
    return conflict("QEMU takes either " + name + kind + " or " + parts + ": clear " +
                    (wants_total ? parts : name + kind) + " first");
}

sdk::Status check(const Throttle& t, const penstock_limits& wanted) {
    for (const std::size_t first : {PENSTOCK_READ_BPS, PENSTOCK_READ_IOPS}) {
        if (auto status = check_total(t.rate, first, wanted, false); !status.ok()) return status;
        if (auto status = check_total(t.burst, first, wanted, true); !status.ok()) return status;
    }
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        const std::string name{names[r]};
        if (t.burst[r] == 0) continue;
        if (t.rate[r] == 0) return conflict("a burst of " + name + " needs a limit of " + name + ": set both");
        if (t.burst[r] < t.rate[r])
            return conflict("the burst of " + name + " (" + std::to_string(t.burst[r]) + ") is below its limit (" +
                            std::to_string(t.rate[r]) + "): raise or clear the burst");
        if (t.seconds[r] > throttle_maximum / t.burst[r])
            return malformed("the burst of " + name + " times its seconds is above QEMU's maximum, 10^15");
    }
    if (t.io_size != 0 && !any(t.rate, PENSTOCK_READ_IOPS) && t.rate[PENSTOCK_TOTAL_IOPS] == 0)
        return conflict("io_size says how iops are counted: set an iops limit with it");
    if (!t.group.empty() && t.empty())
        return conflict("a disk is in group '" + t.group + "' only while it has a limit: set one with it");
    return {};
}

} // namespace

std::string_view rate_name(std::size_t rate) { return names[rate]; }

bool Throttle::empty() const {
    return std::all_of(rate.begin(), rate.end(), [](std::uint64_t value) { return value == 0; });
}

penstock_limits to_limits(const Throttle& throttle) {
    penstock_limits out{};
    out.struct_size = sizeof out;
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        if (throttle.rate[r] != 0) out.present |= PENSTOCK_LIMIT_RATE(r);
        if (throttle.burst[r] != 0) out.present |= PENSTOCK_LIMIT_BURST(r);
        out.rate[r] = throttle.rate[r];
        out.burst[r] = throttle.burst[r];
        out.burst_seconds[r] = throttle.burst[r] == 0 ? 0 : std::max<std::uint64_t>(throttle.seconds[r], 1);
    }
    if (throttle.io_size != 0) out.present |= PENSTOCK_LIMIT_IO_SIZE;
    out.io_size = throttle.io_size;
    if (!throttle.group.empty()) out.present |= PENSTOCK_LIMIT_GROUP;
    out.group = sdk::str(throttle.group);
    return out;
}

sdk::Status merge(Throttle& throttle, const penstock_limits& wanted) {
    auto next = throttle;
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        const std::string name{names[r]};
        if ((wanted.present & PENSTOCK_LIMIT_RATE(r)) != 0) {
            if (auto status = check_value(wanted.rate[r], name); !status.ok()) return status;
            next.rate[r] = wanted.rate[r];
        }
        if ((wanted.present & PENSTOCK_LIMIT_BURST(r)) != 0) {
            if (auto status = check_value(wanted.burst[r], name + " burst"); !status.ok()) return status;
            next.burst[r] = wanted.burst[r];
            next.seconds[r] = std::max<std::uint64_t>(wanted.burst_seconds[r], 1);
        }
    }
    if ((wanted.present & PENSTOCK_LIMIT_IO_SIZE) != 0) {
        if (auto status = check_value(wanted.io_size, "io_size"); !status.ok()) return status;
        next.io_size = wanted.io_size;
    }
    if ((wanted.present & PENSTOCK_LIMIT_GROUP) != 0) {
        const auto group = sdk::view(wanted.group);
        if (group.empty() || group.size() > 255 || group.find('\0') != std::string_view::npos)
            return malformed("a group's name has 1 to 255 characters");
        next.group = group;
    }
    if (auto status = check(next, wanted); !status.ok()) return status;
    throttle = std::move(next);
    return {};
}

Throttle without(Throttle throttle, std::uint64_t mask) {
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        const bool rate = (mask & PENSTOCK_LIMIT_RATE(r)) != 0;
        if (rate) throttle.rate[r] = 0;
        if (rate || (mask & PENSTOCK_LIMIT_BURST(r)) != 0) throttle.burst[r] = throttle.seconds[r] = 0;
    }
    const bool iops = any(throttle.rate, PENSTOCK_READ_IOPS) || throttle.rate[PENSTOCK_TOTAL_IOPS] != 0;
    if (!iops || (mask & PENSTOCK_LIMIT_IO_SIZE) != 0) throttle.io_size = 0;
    if (throttle.empty() || (mask & PENSTOCK_LIMIT_GROUP) != 0) throttle.group.clear();
    return throttle;
}

} // namespace penstock::kvm
