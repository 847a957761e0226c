// SPDX-License-Identifier: Apache-2.0
#include "enforce/release.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "sys/file.hpp"

using namespace penstock;

namespace {

// Files stand in for cgroup files.
struct Host {
    FakeTree tree;
    Roots roots{.run = tree.path("run")};
    Hierarchy hierarchy{CgroupVersion::v2, tree.path("cg"), "/", {}};
    Journal journal{roots};
    BlockDevice device{.number = {8, 0}, .name = "sda"};

    Host() {
        tree.directory("cg/without-io");
        tree.file("cg/slice/vm/io.max", "8:0 rbps=max wbps=100000 riops=max wiops=max\n");
        tree.file("cg/other/io.max", "8:0 rbps=200000 wbps=max riops=max wiops=max\n");
        tree.file("cg/elsewhere/io.max", "8:16 rbps=200000 wbps=max riops=max wiops=max\n");
        InstanceRecord record{.key = {"kvm", "id", "1-2"}, .name = "db1"};
        DiskRecord disk{.disk = "vda"};
        disk.point = {.engine = Engine::cgroup, .version = CgroupVersion::v2, .cgroup = "/slice/vm", .device = {8, 0}};
        disk.wanted[Rate::write_bps] = 100000;
        disk.before[Rate::write_bps] = 300000;
        record.disks = {disk};
        REQUIRE(journal.save(record));
    }
    std::vector<Holder> holders(bool all) {
        auto found = holders_of(hierarchy, device, journal.load_all(), all);
        REQUIRE(found);
        std::sort(found->begin(), found->end(), [](const Holder& a, const Holder& b) { return a.ours > b.ours; });
        return *found;
    }
    Result<void> release(bool all) {
        return penstock::release(roots, hierarchy, journal, device, journal.load_all(), holders(all));
    }
    std::string content(const std::string& path) { return *read_file(tree.path("cg/" + path + "/io.max")); }
};

} // namespace

TEST_CASE("every cgroup that limits the device is found, and whose the limit is") {
    Host host;
    const auto holders = host.holders(false);
    REQUIRE(holders.size() == 2);
    CHECK(holders[0].ours == std::vector<std::string>{"kvm/db1:vda"});
    CHECK(holders[0].lift);
    CHECK(holders[0].limits[Rate::write_bps] == 100000);
    CHECK(holders[1].plan.point.cgroup == "/other");
    CHECK(holders[1].ours.empty());
    CHECK(!holders[1].lift);
    CHECK(host.holders(true)[1].lift);
}

TEST_CASE("ours are lifted and stay recorded as released; what others have set stays") {
    Host host;
    REQUIRE(host.release(false));
    CHECK(host.content("slice/vm").find("wbps=max") != std::string::npos);
    CHECK(host.content("other").find("rbps=200000") != std::string::npos);
    const auto records = host.journal.load_all();
    REQUIRE(records.size() == 1);
    CHECK(records[0].disks[0].released);
    CHECK(records[0].disks[0].wanted[Rate::write_bps] == 100000);
    CHECK(records[0].disks[0].before.empty());
}

TEST_CASE("with all, others' limits are lifted too, on this device only") {
    Host host;
    REQUIRE(host.release(true));
    CHECK(host.content("other").find("rbps=max") != std::string::npos);
    CHECK(host.content("elsewhere").find("rbps=200000") != std::string::npos);
}
