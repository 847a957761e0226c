// SPDX-License-Identifier: Apache-2.0
#include "plan/queue_tuning.hpp"

#include "catch.hpp"

#include <algorithm>

using namespace penstock;

namespace {

const TuningWrite* find(const std::vector<TuningWrite>& writes, const std::string& file) {
    const auto found = std::find_if(writes.begin(), writes.end(), [&](const auto& one) { return one.file == file; });
    return found == writes.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("the scheduler in use is the one in brackets") {
    CHECK(scheduler_in_use("none [mq-deadline] bfq") == "mq-deadline");
    CHECK(scheduler_in_use("[none]") == "none");
    CHECK(scheduler_in_use("none").empty());
    CHECK(scheduler_in_use("").empty());
}

TEST_CASE("another scheduler: BFQ comes first, and its own files have nothing to go back to") {
    const auto writes = plan_queue_tuning({.schedulers = "[none] mq-deadline bfq", .nr_requests = "64"});
    REQUIRE(!writes.empty());
    CHECK(writes[0].file == "queue/scheduler");
    CHECK(writes[0].value == "bfq");
    CHECK(writes[0].before == "none");
    REQUIRE(find(writes, "queue/nr_requests") != nullptr);
    CHECK(find(writes, "queue/nr_requests")->before == "64");
    REQUIRE(find(writes, "queue/iosched/low_latency") != nullptr);
    CHECK(!find(writes, "queue/iosched/low_latency")->before);
}

TEST_CASE("BFQ as it comes: only what differs is written, and goes back") {
    const auto writes = plan_queue_tuning(
        {.schedulers = "none [bfq]", .nr_requests = "256", .low_latency = "1", .strict_guarantees = "0"});
    CHECK(find(writes, "queue/scheduler") == nullptr);
    CHECK(find(writes, "queue/nr_requests") == nullptr);
    REQUIRE(find(writes, "queue/iosched/low_latency") != nullptr);
    CHECK(find(writes, "queue/iosched/low_latency")->before == "1");
    for (const auto& write : writes) CHECK(!write.why.empty());
}

TEST_CASE("what has been written is not written again") {
    QueueState now{.schedulers = "none [bfq]", .nr_requests = "128", .low_latency = "1", .strict_guarantees = "0"};
    for (const auto& write : plan_queue_tuning(now)) {
        if (write.file == "queue/iosched/low_latency") now.low_latency = write.value;
        if (write.file == "queue/iosched/strict_guarantees") now.strict_guarantees = write.value;
    }
    CHECK(plan_queue_tuning(now).empty());
}
