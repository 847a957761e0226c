// SPDX-License-Identifier: Apache-2.0
#include "observe/weight_share.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

constexpr DeviceNumber sda{8, 0};

struct Tree {
    FakeTree tree;
    Hierarchy hierarchy;

    Tree() { hierarchy = {.version = CgroupVersion::v2, .mount_point = tree.path(), .shared_with = {}}; }
    void cgroup(const std::string& path, const std::string& weights, const std::string& processes) {
        tree.file(path + "/io.bfq.weight", weights);
        tree.file(path + "/cgroup.procs", processes);
    }
    std::optional<WeightShare> share(const std::string& path) const {
        return weight_share(hierarchy, path, WeightPolicy::bfq, sda);
    }
};

} // namespace

TEST_CASE("a cgroup shares with its siblings that hold processes, and its parent with the parent's") {
    Tree host;
    host.cgroup("machine", "default 100\n", "");
    host.cgroup("machine/a", "default 100\n8:0 1000\n", "1\n");
    host.cgroup("machine/b", "default 100\n", "2\n");
    host.cgroup("machine/idle", "default 500\n", "");
    host.cgroup("system", "default 100\n8:16 900\n", "");
    host.cgroup("system/x", "default 100\n", "3\n");
    const auto share = host.share("/machine/a");
    REQUIRE(share);
    CHECK(share->weight == 1000);
    // 1000 of 1100 inside of machine, which has 100 of 200.
    CHECK(share->percent == Approx(100.0 * 1000 / 1100 / 2));
    REQUIRE(share->competitors.size() == 2);
    CHECK(share->competitors[0].cgroup == "/machine/b");
    CHECK(share->competitors[1].cgroup == "/system");
}

TEST_CASE("one that is alone gets all") {
    Tree host;
    host.cgroup("vm", "default 100\n", "1\n");
    CHECK(host.share("/vm")->percent == Approx(100));
}

TEST_CASE("where the weights cannot be read, no share is told") {
    Tree host;
    host.tree.file("vm/cgroup.procs", "1\n");
    CHECK(!host.share("/vm"));
    CHECK(!host.share("/gone"));
}
