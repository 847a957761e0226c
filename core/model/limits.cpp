// SPDX-License-Identifier: Apache-2.0
#include "model/limits.hpp"

namespace penstock {

Limits merged(const Limits& base, const Limits& change) {
    Limits out = base;
    for (const auto rate : all_rates) {
        if (change[rate]) out[rate] = change[rate];
        if (change.burst(rate)) out.burst(rate) = change.burst(rate);
    }
    if (change.io_size) out.io_size = change.io_size;
    if (change.group) out.group = change.group;
    if (change.weight) out.weight = change.weight;
    return out;
}

Limits without(const Limits& base, const LimitFields& fields) {
    Limits out = base;
    bool any = false;
    bool any_iops = false;
    for (const auto rate : all_rates) {
        if (fields.rates[index(rate)]) out[rate].reset();
        if (fields.bursts[index(rate)] || !out[rate]) out.burst(rate).reset();
        any |= out[rate].has_value();
        any_iops |= out[rate].has_value() && !is_bandwidth(rate);
    }
    if (fields.io_size || !any_iops) out.io_size.reset();
    if (fields.group || !any) out.group.reset();
    if (fields.weight) out.weight.reset();
    return out;
}

} // namespace penstock
