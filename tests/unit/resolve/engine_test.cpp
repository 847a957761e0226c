// SPDX-License-Identifier: Apache-2.0
#include "resolve/engine.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

// A QEMU disk that is a block device of its own with direct I/O, in a cgroup of its own: the best case.
struct Case {
    Disk disk;
    BackingChain chain;
    Placement placement;
    std::vector<std::string> shares;

    Case() {
        disk.native_limit = true;
        disk.cache = CacheMode::direct;
        chain.device = BlockDevice{.number = {7, 0}, .name = "loop0"};
        chain.own_device = true;
        placement.hierarchy.version = CgroupVersion::v1;
        placement.cgroup = "/vm";
    }
    EngineChoice choose(const Limits& wanted = {}, Engine via = Engine::none, bool adopt = false) const {
        return choose_engine({&disk, &chain, &placement, {}, shares}, wanted, via, adopt);
    }
};

Limits rate(Rate which, std::uint64_t value = 5'000'000) {
    Limits limits;
    limits[which] = value;
    return limits;
}

} // namespace

TEST_CASE("a disk on its own device with direct I/O is limited by its cgroup") {
    const auto choice = Case{}.choose(rate(Rate::write_bps));
    CHECK(choice.engine == Engine::cgroup);
    CHECK(choice.cgroup.exact);
}

TEST_CASE("totals, bursts, request sizes and groups are beyond cgroups") {
    Limits burst = rate(Rate::read_bps);
    burst.burst(Rate::read_bps) = Burst{9'000'000, 2};
    Limits io_size = rate(Rate::read_iops, 50);
    io_size.io_size = 4096;
    Limits group = rate(Rate::read_bps);
    group.group = "g";
    for (const auto& wanted : {rate(Rate::total_bps), rate(Rate::total_iops, 100), burst, io_size, group}) {
        CHECK(Case{}.choose(wanted).engine == Engine::native);
        const auto forced = Case{}.choose(wanted, Engine::cgroup);
        CHECK(forced.engine == Engine::none);
        CHECK(!forced.cgroup.impossible->remedy.empty());
    }
}

TEST_CASE("page-cache writes on v1: native where there is one, else refused with the reason; reads are fine") {
    Case c;
    c.disk.cache = CacheMode::buffered;
    CHECK(c.choose(rate(Rate::write_bps)).engine == Engine::native);
    c.disk.native_limit = false;
    const auto refused = c.choose(rate(Rate::write_bps));
    CHECK(refused.engine == Engine::none);
    CHECK(refused.why.find("page cache") != std::string::npos);
    CHECK(c.choose(rate(Rate::read_bps)).engine == Engine::cgroup);
}

TEST_CASE("forcing a cgroup on page-cache writes is done, and judged ineffective") {
    Case c;
    c.disk.cache = CacheMode::buffered;
    const auto choice = c.choose(rate(Rate::write_bps), Engine::cgroup);
    CHECK(choice.engine == Engine::cgroup);
    CHECK(choice.cgroup.ineffective);
}

TEST_CASE("page-cache writes on v2 are limited where their writeback is charged: file system and memory controller") {
    Case c;
    c.placement.hierarchy.version = CgroupVersion::v2;
    c.disk.cache = CacheMode::buffered;
    c.disk.native_limit = false;
    c.chain.file_system = "ext4";
    c.placement.charges_memory = true;
    CHECK(c.choose(rate(Rate::write_bps)).engine == Engine::cgroup);
    c.placement.charges_memory = false;
    CHECK(c.choose(rate(Rate::write_bps)).why.find("memory controller") != std::string::npos);
    c.placement.charges_memory = true;
    c.chain.file_system = "vfat";
    CHECK(c.choose(rate(Rate::write_bps)).why.find("vfat") != std::string::npos);
    CHECK(c.choose(rate(Rate::read_bps)).engine == Engine::cgroup);
}

TEST_CASE("a limit that lets I/O pass beside it is not chosen, and is judged ineffective when it is forced") {
    Case c;
    c.chain.partial = Obstacle{"spread over two devices", "limit md0 itself"};
    CHECK(c.choose(rate(Rate::read_bps)).engine == Engine::native);
    const auto forced = c.choose(rate(Rate::read_bps), Engine::cgroup);
    CHECK(forced.engine == Engine::cgroup);
    REQUIRE(forced.cgroup.ineffective);
    CHECK(forced.cgroup.ineffective->remedy == "limit md0 itself");
}

TEST_CASE("an image among others on a shared disk is limited natively, since a cgroup would be less exact") {
    Case c;
    c.chain.own_device = false;
    c.chain.notes = {"the limit acts on all of sda"};
    const auto choice = c.choose(rate(Rate::write_bps));
    CHECK(choice.engine == Engine::native);
    CHECK(choice.why.find("all of sda") != std::string::npos);
}

TEST_CASE("two disks of an instance on one device cannot be told apart by a cgroup") {
    Case c;
    c.shares = {"vdb"};
    CHECK(c.choose(rate(Rate::write_bps)).engine == Engine::native);
    CHECK(!c.choose().cgroup.exact);
}

TEST_CASE("a container is limited by its cgroup, with what escapes named") {
    Case c;
    c.disk.native_limit = false;
    c.disk.cache = CacheMode::guest;
    const auto choice = c.choose(rate(Rate::write_bps));
    CHECK(choice.engine == Engine::cgroup);
    REQUIRE(choice.cgroup.caveats.size() == 1);
    CHECK(choice.cgroup.caveats[0].find("page cache") != std::string::npos);
}

TEST_CASE("without --adopt no process is taken out of its other limits") {
    Case c;
    c.placement.hierarchy.version = CgroupVersion::v2;
    c.placement.adopt = "it shares a cgroup";
    CHECK(c.choose(rate(Rate::write_bps)).engine == Engine::native);
    CHECK(c.choose(rate(Rate::write_bps), Engine::cgroup).engine == Engine::none);
    CHECK(c.choose(rate(Rate::write_bps), Engine::cgroup, true).engine == Engine::cgroup);
    CHECK(c.choose(rate(Rate::write_bps), Engine::none, true).engine == Engine::cgroup);
}

TEST_CASE("where nothing acts, both reasons are given") {
    Case c;
    c.disk.native_limit = false;
    c.disk.note = "passed through";
    c.chain.device.reset();
    c.chain.obstacle = Obstacle{"NFS is no block device", "limit the server"};
    const auto choice = c.choose(rate(Rate::write_bps));
    CHECK(choice.engine == Engine::none);
    CHECK(choice.why == "cgroup: NFS is no block device; native: passed through");
}

TEST_CASE("QEMU takes a total or the two halves, not both") {
    auto wanted = rate(Rate::total_bps);
    wanted[Rate::read_bps] = 5;
    CHECK(Case{}.choose(wanted).engine == Engine::none);
}
