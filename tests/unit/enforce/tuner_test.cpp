// SPDX-License-Identifier: Apache-2.0
#include "enforce/tuner.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "sys/file.hpp"

using namespace penstock;

namespace {

// One disk sda, 8:0, whose scheduler is BFQ already: a plain file shows what was written to it.
struct Host {
    FakeTree tree;
    Roots roots;

    Host() {
        roots = {.proc = tree.path("proc"), .sys = tree.path("sys"), .run = tree.path("run")};
        tree.file("proc/sys/kernel/random/boot_id", "boot-1\n");
        tree.file("sys/devices/sda/dev", "8:0\n");
        tree.file("sys/devices/sda/diskseq", "7\n");
        tree.file("sys/devices/sda/queue/scheduler", "none [bfq]\n");
        tree.file("sys/devices/sda/queue/nr_requests", "64\n");
        tree.file("sys/devices/sda/queue/iosched/low_latency", "1\n");
        tree.file("sys/devices/sda/queue/iosched/strict_guarantees", "0\n");
        tree.link("sys/dev/block/8:0", "../../devices/sda");
    }
    // A file of sysfs is written whole; this one keeps what it is longer by.
    std::string queue(const std::string& file) const {
        return read_line(tree.path("sys/devices/sda/queue/" + file)).value();
    }
    BlockDevice disk() const { return read_block_device(roots, {8, 0}).value(); }
};

} // namespace

TEST_CASE("what was there is kept before the first change and comes back") {
    Host host;
    Tuner tuner{host.roots};
    auto plan = tuner.plan_bfq(host.disk());
    REQUIRE(plan);
    plan->writes = {{"queue/iosched/low_latency", "0", "1", "w"}};
    REQUIRE(tuner.apply(*plan));
    CHECK(host.queue("iosched/low_latency").front() == '0');
    const auto applied = tuner.applied();
    REQUIRE(applied);
    REQUIRE(applied->size() == 1);
    CHECK(applied->front().writes.front().before == "1");
    REQUIRE(tuner.restore(applied->front()));
    CHECK(host.queue("iosched/low_latency").front() == '1');
    CHECK(tuner.applied()->empty());
}

TEST_CASE("where a write fails, those before it are put back and nothing is recorded") {
    Host host;
    Tuner tuner{host.roots};
    DeviceTuning tuning{{8, 0}, "sda", host.disk().identity(), {}};
    tuning.writes = {{"queue/iosched/low_latency", "0", "1", "w"}, {"queue/iosched/absent", "1", std::nullopt, "w"}};
    CHECK(!tuner.apply(tuning));
    CHECK(host.queue("iosched/low_latency").front() == '1');
    CHECK(tuner.applied()->empty());
}

TEST_CASE("another device of the same number, and another boot, have nothing to put back") {
    Host host;
    Tuner tuner{host.roots};
    DeviceTuning tuning{{8, 0}, "sda", host.disk().identity(), {{"queue/iosched/low_latency", "0", "1", "w"}}};
    REQUIRE(tuner.apply(tuning));
    host.tree.file("sys/devices/sda/diskseq", "8\n");
    CHECK(tuner.applied()->empty());
    host.tree.file("sys/devices/sda/diskseq", "7\n");
    CHECK(tuner.applied()->size() == 1);
    host.tree.file("proc/sys/kernel/random/boot_id", "boot-2\n");
    CHECK(Tuner{host.roots}.applied()->empty());
}

TEST_CASE("a device without a scheduler is refused") {
    Host host;
    host.tree.file("sys/devices/sda/queue/scheduler", "");
    const auto plan = Tuner{host.roots}.plan_bfq(host.disk());
    REQUIRE(!plan);
    CHECK(plan.error().code() == ErrorCode::unsupported);
}

TEST_CASE("a second tuning keeps what was there before the first") {
    Host host;
    Tuner tuner{host.roots};
    const auto identity = host.disk().identity();
    REQUIRE(tuner.apply({{8, 0}, "sda", identity, {{"queue/iosched/low_latency", "0", "1", "w"}}}));
    REQUIRE(tuner.apply(
        {{8, 0},
         "sda",
         identity,
         {{"queue/iosched/low_latency", "2", "0", "w"}, {"queue/iosched/strict_guarantees", "1", "0", "w"}}}));
    const auto applied = tuner.applied();
    REQUIRE(applied);
    REQUIRE(applied->size() == 1);
    REQUIRE(tuner.restore(applied->front()));
    CHECK(host.queue("iosched/low_latency").front() == '1');
    CHECK(host.queue("iosched/strict_guarantees").front() == '0');
}

TEST_CASE("iocost's files are read device by device, and a kernel without them is told so") {
    Host host;
    const Tuner tuner{host.roots};
    Hierarchy hierarchy{.version = CgroupVersion::v2, .mount_point = host.tree.path("cgroup")};
    REQUIRE(!tuner.iocost_state(host.disk(), hierarchy));
    CHECK(tuner.iocost_state(host.disk(), hierarchy).error().code() == ErrorCode::unsupported);
    host.tree.file("cgroup/io.cost.model", "18:0 ctrl=auto\n8:0 ctrl=user model=linear rbps=1\n");
    host.tree.file("cgroup/io.cost.qos", "18:0 enable=0\n");
    const auto state = tuner.iocost_state(host.disk(), hierarchy);
    REQUIRE(state);
    CHECK(state->model == "8:0 ctrl=user model=linear rbps=1");
    CHECK(state->qos.empty());
    hierarchy.version = CgroupVersion::v1;
    CHECK(!tuner.iocost_state(host.disk(), hierarchy));
}
