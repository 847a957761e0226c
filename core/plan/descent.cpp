// SPDX-License-Identifier: Apache-2.0
#include "plan/descent.hpp"

#include "cgroup/io_max.hpp"
#include "cgroup/throttle_v1.hpp"

#include <algorithm>

namespace penstock {
namespace {

// One request in each slice, which has been earned 53 ms into it: from here every lower value can be reached.
constexpr std::uint64_t last_rung = 19;

// What a slice allows, in bytes or requests. The kernel rounds down too.
std::uint64_t allowance(std::uint64_t rate) { return rate / 10; }

// What may be owed at any moment. Below 10 the kernel lets a request through before it has been earned in whole.
std::uint64_t owed(std::uint64_t rate) { return std::max<std::uint64_t>(1, allowance(rate)); }

// What may be owed 70 ms into a slice.
std::uint64_t owed_late(std::uint64_t rate) {
    if (rate < 10) return 1;
    return allowance(rate) - (rate / 100 * 7 + rate % 100 * 7 / 100);
}

// The lowest value on the way to `target` that can follow `rate` late in its slice.
std::uint64_t next_value(std::uint64_t rate, std::uint64_t target) {
    const auto debt = owed_late(rate);
    if (allowance(target) >= debt) return target;
    return debt == 1 ? last_rung : debt * 10;
}

bool at_once(const Limits& now, const Limits& after) {
    return std::all_of(cgroup_rates.begin(), cgroup_rates.end(), [&](Rate rate) {
        return !now[rate] || !after[rate] || allowance(*after[rate]) >= owed(*now[rate]);
    });
}

class Descent {
public:
    Descent(CgroupVersion version, DeviceNumber device, const Limits& now, const Limits& after)
        : version_{version}, device_{device}, now_{now}, after_{after} {}

    std::vector<Rung> run() {
        start();
        version_ == CgroupVersion::v2 ? together() : one_by_one();
        return std::move(rungs_);
    }

private:
    bool lowers(Rate rate) const { return now_[rate] && after_[rate] && *after_[rate] < *now_[rate]; }

    // Whatever is written starts a slice. A rate that one slice does not earn a request of cannot be timed; it is
    // raised for the time of the descent.
    void start() {
        auto first = now_;
        for (const auto rate : cgroup_rates)
            if (now_[rate] && after_[rate] && *now_[rate] < 10) first[rate] = last_rung;
        if (!(first == now_) || version_ == CgroupVersion::v2) return go(first, false);
        const auto rate = *std::find_if(cgroup_rates.begin(), cgroup_rates.end(), [&](Rate r) { return lowers(r); });
        const ControlWrite same{throttle_v1_file(rate), format_throttle_v1(device_, now_[rate])};
        rungs_.push_back({same, same, false});
    }

    bool arrived(const Limits& at) const {
        return std::all_of(cgroup_rates.begin(), cgroup_rates.end(),
                           [&](Rate rate) { return !at[rate] || !after_[rate] || at[rate] == after_[rate]; });
    }

    // v2: one write sets all rates.
    void together() {
        while (!arrived(now_)) {
            auto next = now_;
            for (const auto rate : cgroup_rates)
                if (now_[rate] && after_[rate]) next[rate] = next_value(*now_[rate], *after_[rate]);
            go(arrived(next) ? after_ : next, true);
        }
    }

    // v1: a write sets one rate and starts the slice of all, so that each has to wait for its own.
    void one_by_one() {
        for (const auto rate : cgroup_rates)
            while (lowers(rate)) {
                auto next = now_;
                next[rate] = next_value(*now_[rate], *after_[rate]);
                go(next, true);
            }
        go(after_, false);
    }

    void go(const Limits& next, bool timed) {
        if (version_ == CgroupVersion::v2) {
            rungs_.push_back(
                {{"io.max", format_io_max(device_, next)}, {"io.max", format_io_max(device_, now_)}, timed});
        } else {
            const auto forth = control_writes(version_, device_, now_, next);
            const auto back = control_writes(version_, device_, next, now_);
            for (std::size_t i = 0; i < forth.size(); ++i) rungs_.push_back({forth[i], back[i], timed});
        }
        now_ = next;
    }

    CgroupVersion version_;
    DeviceNumber device_;
    Limits now_; // as the writes so far leave it
    const Limits& after_;
    std::vector<Rung> rungs_;
};

} // namespace

Limits before_lifting(const Limits& now, const Limits& after) {
    auto first = after;
    for (const auto rate : cgroup_rates)
        if (now[rate] && !after[rate]) first[rate] = is_bandwidth(rate) ? 1'000'000'000'000'000 : 1'000'000'000;
    return first;
}

std::vector<Rung> descent(CgroupVersion version, DeviceNumber device, const Limits& now, const Limits& after) {
    if (now == after || at_once(now, after)) return {};
    return Descent{version, device, now, after}.run();
}

} // namespace penstock
