// SPDX-License-Identifier: Apache-2.0
#include "enforce/journal.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "sys/file.hpp"

using namespace penstock;

namespace {

struct Host {
    FakeTree tree;
    Roots roots;

    Host() {
        roots.run = tree.path("run");
        roots.proc = tree.path("proc");
        tree.directory("run");
        boot("one");
    }
    void boot(const std::string& id) { tree.file("proc/sys/kernel/random/boot_id", id + "\n"); }
};

InstanceRecord sample() {
    InstanceRecord record;
    record.key = {"kvm", "../../etc/passwd", "10-500"};
    record.name = "a \"b\"";
    record.made_cgroup = true;
    record.cgroup = "/penstock/kvm-x";
    record.moved = {{10, 500, "/old"}};
    DiskRecord cgroup;
    cgroup.disk = "vda";
    cgroup.point = {.engine = Engine::cgroup,
                    .version = CgroupVersion::v1,
                    .cgroup = "/penstock/kvm-x",
                    .device = {7, 3},
                    .device_name = "loop3"};
    cgroup.device_identity = "diskseq 9";
    cgroup.wanted[Rate::write_bps] = 5;
    cgroup.before[Rate::write_bps] = 77;
    cgroup.wanted.weight = 300;
    cgroup.weights = {{{WeightPolicy::bfq, {7, 3}}, 300, 70}, {{WeightPolicy::iocost, {7, 3}}, 300, std::nullopt}};
    DiskRecord native;
    native.disk = "vdb";
    native.point = {.engine = Engine::native, .key = record.key, .native_id = "/machine/x"};
    native.wanted[Rate::total_bps] = 9;
    native.wanted.burst(Rate::total_bps) = Burst{20, 3};
    record.disks = {cgroup, native};
    return record;
}

} // namespace

TEST_CASE("a record is read as it was written, whatever the instance is called") {
    Host host;
    const Journal journal{host.roots};
    REQUIRE(journal.save(sample()));
    CHECK(!std::filesystem::exists(host.tree.path("etc")));
    const auto loaded = journal.load(sample().key);
    REQUIRE(loaded);
    REQUIRE(*loaded);
    const auto& record = **loaded;
    CHECK(record.name == "a \"b\"");
    CHECK(record.moved == sample().moved);
    REQUIRE(record.disks.size() == 2);
    CHECK(record.disks[0].point == sample().disks[0].point);
    CHECK(record.disks[0].before == sample().disks[0].before);
    CHECK(record.disks[0].weights == sample().disks[0].weights);
    CHECK(record.disks[0].wanted == sample().disks[0].wanted);
    CHECK(record.disks[1].point == sample().disks[1].point);
    CHECK(record.disks[1].wanted == sample().disks[1].wanted);
}

TEST_CASE("a record of an earlier boot is not believed: its limits went with that kernel") {
    Host host;
    REQUIRE(Journal{host.roots}.save(sample()));
    host.boot("two");
    const auto loaded = Journal{host.roots}.load(sample().key);
    REQUIRE(loaded);
    CHECK(!*loaded);
    CHECK(Journal{host.roots}.load_all().empty());
}

TEST_CASE("a record without disks is removed") {
    Host host;
    const Journal journal{host.roots};
    REQUIRE(journal.save(sample()));
    auto empty = sample();
    empty.disks.clear();
    REQUIRE(journal.save(empty));
    CHECK(journal.load_all().empty());
}

TEST_CASE("files that cannot be understood are named, and the others are read") {
    Host host;
    const Journal journal{host.roots};
    REQUIRE(journal.save(sample()));
    host.tree.file("run/penstock/limits/kvm-a.json", "{\"boot_id\": \"one\", \"version\": 1}");
    host.tree.file("run/penstock/limits/kvm-b.json", "not json");
    host.tree.file("run/penstock/limits/kvm-c.json", "{\"boot_id\": \"one\", \"version\": 99}");
    std::vector<std::string> problems;
    CHECK(journal.load_all(&problems).size() == 1);
    CHECK(problems.size() == 3);
}
