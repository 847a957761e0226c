// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// One file of a device's queue: what is written, and what puts back what was there; nullopt: the file was not there and
// goes by itself.
struct TuningWrite {
    std::string file; // "queue/scheduler", below the device's folder in sysfs
    std::string value;
    std::optional<std::string> before;
    std::string why;
    bool operator==(const TuningWrite&) const = default;
};

// What a device's queue says now.
struct QueueState {
    std::string schedulers; // "none [mq-deadline] bfq"
    std::string nr_requests;
    std::string low_latency, strict_guarantees; // of BFQ; empty where it is not the scheduler
};

// "mq-deadline" of "none [mq-deadline] bfq".
std::string_view scheduler_in_use(std::string_view schedulers);

// The writes after which BFQ shares the device out as measured best (docs/weights.md), in order. What is so already is
// left out. Undone in the same order: with its scheduler the rest of the files goes. Pure.
std::vector<TuningWrite> plan_queue_tuning(const QueueState& now);

} // namespace penstock
