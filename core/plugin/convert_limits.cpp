// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "plugin/own_copy.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace penstock {
namespace {

// Files and JSON hold signed numbers, and 0 is how QEMU says "none": a plugin that means "not set" leaves the bit out.
bool is_rate(std::uint64_t value) { return value != 0 && value <= std::numeric_limits<std::int64_t>::max(); }

std::uint32_t bit(Rate rate) { return static_cast<std::uint32_t>(index(rate)); }

} // namespace

Result<Limits> from_record(const penstock_limits* record, RecordText& text) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Limits out;
    for (const auto rate : all_rates) {
        const auto r = bit(rate);
        if ((own->present & PENSTOCK_LIMIT_RATE(r)) != 0) {
            if (!is_rate(own->rate[r])) return malformed_record(fmt::format("{} of {}", name(rate), own->rate[r]));
            out[rate] = own->rate[r];
        }
        if ((own->present & PENSTOCK_LIMIT_BURST(r)) != 0) {
            if (!is_rate(own->burst[r]))
                return malformed_record(fmt::format("{} burst of {}", name(rate), own->burst[r]));
            out.burst(rate) = Burst{own->burst[r], std::max<std::uint64_t>(own->burst_seconds[r], 1)};
        }
    }
    if ((own->present & PENSTOCK_LIMIT_IO_SIZE) != 0) {
        if (!is_rate(own->io_size)) return malformed_record(fmt::format("io_size of {}", own->io_size));
        out.io_size = own->io_size;
    }
    if ((own->present & PENSTOCK_LIMIT_GROUP) != 0) out.group = text(own->group, "group");
    if (text.problem()) return *text.problem();
    return out;
}

Result<FieldSupport> from_record(const penstock_limit_support* record, RecordText&) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    if (!std::has_single_bit(own->field))
        return malformed_record(fmt::format("support of field {:#x}, which is not one bit", own->field));
    if (own->minimum > own->maximum)
        return malformed_record(
            fmt::format("field {:#x} takes values from {} to {}", own->field, own->minimum, own->maximum));
    return FieldSupport{enumerated(own->support, Support::native), own->field, own->minimum, own->maximum,
                        std::max<std::uint64_t>(own->granularity, 1)};
}

penstock_limits to_record(const Limits& limits) {
    penstock_limits out{};
    out.struct_size = sizeof out;
    for (const auto rate : all_rates) {
        const auto r = bit(rate);
        if (limits[rate]) {
            out.present |= PENSTOCK_LIMIT_RATE(r);
            out.rate[r] = *limits[rate];
        }
        if (const auto& burst = limits.burst(rate)) {
            out.present |= PENSTOCK_LIMIT_BURST(r);
            out.burst[r] = burst->rate;
            out.burst_seconds[r] = burst->seconds;
        }
    }
    if (limits.io_size) {
        out.present |= PENSTOCK_LIMIT_IO_SIZE;
        out.io_size = *limits.io_size;
    }
    if (limits.group) {
        out.present |= PENSTOCK_LIMIT_GROUP;
        out.group = borrow(*limits.group);
    }
    return out;
}

std::uint64_t to_mask(const LimitFields& fields) {
    std::uint64_t mask = (fields.io_size ? PENSTOCK_LIMIT_IO_SIZE : 0) | (fields.group ? PENSTOCK_LIMIT_GROUP : 0);
    for (const auto rate : all_rates) {
        const auto r = bit(rate);
        if (fields.rates[r]) mask |= PENSTOCK_LIMIT_RATE(r);
        if (fields.bursts[r]) mask |= PENSTOCK_LIMIT_BURST(r);
    }
    return mask;
}

} // namespace penstock
