// SPDX-License-Identifier: Apache-2.0
#include "plan/queue_tuning.hpp"

#include "base/number.hpp"

#include <cstdint>

namespace penstock {

std::string_view scheduler_in_use(std::string_view schedulers) {
    const auto open = schedulers.find('[');
    const auto close = schedulers.find(']', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return {};
    return schedulers.substr(open + 1, close - open - 1);
}

std::vector<TuningWrite> plan_queue_tuning(const QueueState& now) {
    constexpr std::uint64_t least_requests = 128;
    std::vector<TuningWrite> writes;
    const bool is_bfq = scheduler_in_use(now.schedulers) == "bfq";
    const auto add = [&](std::string file, std::string value, std::optional<std::string> before, std::string why) {
        if (before != value) writes.push_back({std::move(file), std::move(value), std::move(before), std::move(why)});
    };
    add("queue/scheduler", "bfq", std::string{scheduler_in_use(now.schedulers)}, "BFQ shares out by weight");
    // Every writer needs room to queue: where requests wait for a free slot, BFQ does not see them, and it is first
    // come first served (4 slots, depth 16: 1.00 to 1).
    const auto requests = parse_number<std::uint64_t>(now.nr_requests).value_or(0);
    if (!is_bfq || requests < least_requests)
        add("queue/nr_requests", std::to_string(least_requests), now.nr_requests,
            "BFQ can only order requests that have a slot in the queue");
    const auto own = [&](const std::string& text) { return is_bfq ? std::optional{text} : std::nullopt; };
    add("queue/iosched/low_latency", "0", own(now.low_latency), "no favours for whoever has just started");
    add("queue/iosched/strict_guarantees", "1", own(now.strict_guarantees),
        "one request at a time, so that the device does not order them anew; costs throughput where it could do "
        "several");
    return writes;
}

} // namespace penstock
