// SPDX-License-Identifier: Apache-2.0
#include "resolve/weighing.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

// A host with one disk sda, 8:0, that has a partition, and a map 252:0 on that.
class Host {
public:
    explicit Host(const std::string& scheduler) {
        disk("sda", "8:0", scheduler);
        tree.file("sys/devices/sda/sda1/dev", "8:1\n");
        tree.file("sys/devices/sda/sda1/partition", "1\n");
        tree.link("sys/dev/block/8:1", "../../devices/sda/sda1");
        disk("dm-0", "252:0", "");
        tree.link("sys/devices/dm-0/slaves/sda1", "../../sda/sda1");
        roots.sys = tree.path("sys");
        hierarchy = {.version = CgroupVersion::v2, .mount_point = tree.path("cgroup"), .shared_with = {}};
    }

    Weighing weigh(DeviceNumber number) const {
        const auto device = read_block_device(roots, number);
        REQUIRE(device);
        return penstock::weigh(roots, hierarchy, *device);
    }

    void disk(const std::string& name, const std::string& number, const std::string& scheduler) {
        tree.file("sys/devices/" + name + "/dev", number + "\n");
        if (!scheduler.empty()) tree.file("sys/devices/" + name + "/queue/scheduler", scheduler + "\n");
        tree.link("sys/dev/block/" + number, "../../devices/" + name);
        tree.link("sys/block/" + name, "../devices/" + name);
    }

    FakeTree tree;
    Roots roots;
    Hierarchy hierarchy;
};

constexpr DeviceNumber sda{8, 0}, dm0{252, 0};

} // namespace

TEST_CASE("BFQ acts: the weight is the device's own") {
    const Host host{"none mq-deadline [bfq]"};
    const auto weighing = host.weigh(sda);
    CHECK(!weighing.ineffective);
    CHECK(!weighing.impossible);
    CHECK(weighing.places() == std::vector{WeightPlace{WeightPolicy::bfq, sda}});
}

TEST_CASE("a map hands its requests on: the scheduler of the disk underneath counts") {
    const Host host{"none mq-deadline [bfq]"};
    const auto weighing = host.weigh(dm0);
    CHECK(!weighing.ineffective);
    REQUIRE(weighing.devices.size() == 1);
    CHECK(weighing.devices[0].device.name == "sda");
    CHECK(weighing.places() == std::vector{WeightPlace{WeightPolicy::bfq, sda}});
}

TEST_CASE("a scheduler that ignores weights is named, and nothing is written") {
    const Host host{"none [mq-deadline] bfq"};
    const auto weighing = host.weigh(sda);
    REQUIRE(weighing.ineffective);
    CHECK(weighing.ineffective->reason == "the scheduler of sda is mq-deadline, which ignores weights");
    CHECK(weighing.ineffective->remedy.find("doctor --fix sda") != std::string::npos);
    CHECK(weighing.places().empty());
}

TEST_CASE("without BFQ and iocost there is nothing to write to") {
    const Host host{"none [mq-deadline]"};
    const auto weighing = host.weigh(sda);
    REQUIRE(weighing.impossible);
    CHECK(weighing.impossible->reason.find("BFQ is not loaded") != std::string::npos);
    CHECK(weighing.places().empty());
}

TEST_CASE("iocost acts on the devices that the root cgroup names with enable=1") {
    const Host host{"[none] mq-deadline"};
    host.tree.file("cgroup/io.cost.model", "");
    host.tree.file("cgroup/io.cost.qos", "8:0 enable=1 ctrl=user rpct=0.00\n18:0 enable=0 ctrl=auto\n");
    const auto weighing = host.weigh(sda);
    CHECK(!weighing.ineffective);
    CHECK(weighing.places() == std::vector{WeightPlace{WeightPolicy::iocost, sda}});
    REQUIRE(weighing.caveats.size() == 1);
    CHECK(weighing.caveats[0].find("guess of what sda can do") != std::string::npos);
    host.tree.file("cgroup/io.cost.model", "8:0 ctrl=user model=linear rbps=1 rseqiops=1 rrandiops=1\n");
    CHECK(host.weigh(sda).caveats.empty());
    CHECK(host.weigh(dm0).places() == std::vector{WeightPlace{WeightPolicy::iocost, sda}});
    CHECK(host.weigh(dm0).caveats.empty());
}

TEST_CASE("iocost on a device without a queue of requests is not taken for one that acts") {
    Host host{"[none] mq-deadline"};
    host.disk("ram0", "1:0", "none"); // without brackets
    host.tree.file("cgroup/io.cost.qos", "1:0 enable=1 ctrl=user\n");
    host.tree.file("cgroup/io.cost.model", "1:0 ctrl=user\n");
    CHECK(host.weigh({1, 0}).ineffective);
    CHECK(host.weigh({1, 0}).places().empty());
}

TEST_CASE("iocost that is built but off is said to be off") {
    const Host host{"[none] mq-deadline"};
    host.tree.file("cgroup/io.cost.qos", "");
    host.tree.file("cgroup/io.cost.model", "");
    const auto weighing = host.weigh(sda);
    REQUIRE(weighing.ineffective);
    CHECK(weighing.ineffective->reason.find("iocost is off") != std::string::npos);
    CHECK(weighing.places().empty());
}

TEST_CASE("a device without a scheduler and without anything underneath, as brd, cannot weigh") {
    Host host{"[none] mq-deadline bfq"};
    host.disk("ram0", "1:0", "none"); // without brackets, as bio-based queues show it
    const auto weighing = host.weigh({1, 0});
    REQUIRE(weighing.ineffective);
    CHECK(weighing.ineffective->reason.find("ram0 hands its requests on") != std::string::npos);
}
