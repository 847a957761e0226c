// SPDX-License-Identifier: Apache-2.0
#include "enforce/executor.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "plan/descent.hpp"
#include "sys/file.hpp"

#include <thread>

using namespace penstock;

namespace {

// Files stand in for cgroup files: writing replaces their first bytes, as far as these tests need it.
struct Host {
    FakeTree tree;
    Roots roots;
    Hierarchy hierarchy{CgroupVersion::v2, tree.path("cg"), "/", {}};

    void cgroup(const std::string& path, const std::string& io_max) { tree.file("cg" + path + "/io.max", io_max); }
    std::string content(const std::string& path) { return *read_file(tree.path("cg" + path + "/io.max")); }
};

const LimitPoint point{
    .engine = Engine::cgroup, .version = CgroupVersion::v2, .cgroup = "/vm", .device = {7, 3}, .device_name = "loop3"};

Limits limit(std::uint64_t value) {
    Limits limits;
    limits[Rate::write_bps] = value;
    return limits;
}

} // namespace

TEST_CASE("a plan is carried out and read back") {
    Host host;
    host.cgroup("/vm", "");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    REQUIRE(executor.run(plan_set(point, {}, limit(500))));
    CHECK(*executor.read(point) == limit(500));
}

TEST_CASE("what is read back differently is an error, and undone") {
    Host host;
    host.cgroup("/vm", "");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    auto plan = plan_set(point, {}, limit(500));
    plan.after = limit(600); // as if the kernel had made something else of it
    const auto done = executor.run(plan);
    REQUIRE(!done);
    CHECK(done.error().text().find("read back") != std::string::npos);
    CHECK(host.content("/vm").find("wbps=max") != std::string::npos);
}

TEST_CASE("a step that fails undoes the steps before it") {
    Host host;
    host.cgroup("/vm", "7:3 rbps=max wbps=100 riops=max wiops=max\n");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    auto plan = plan_set(point, {limit(100), std::nullopt}, limit(500));
    plan.steps.push_back({WriteControl{"/gone", {"io.max", "x"}, {"io.max", "y"}}, "a cgroup that has been removed"});
    const auto done = executor.run(plan);
    REQUIRE(!done);
    CHECK(done.error().code() == ErrorCode::gone);
    CHECK(done.error().text().find("undone") != std::string::npos);
    CHECK(host.content("/vm").find("wbps=100") != std::string::npos);
}

TEST_CASE("a failure that cannot be undone is said as such") {
    Host host;
    host.cgroup("/vm", "");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    Plan plan{point, {}, limit(1)};
    plan.steps.push_back({WriteControl{"/vm", {"io.max", "7:3 wbps=1"}, {"missing", "x"}}, "first"});
    plan.steps.push_back({WriteControl{"/gone", {"io.max", "x"}, {"io.max", "y"}}, "second"});
    const auto done = executor.run(plan);
    REQUIRE(!done);
    CHECK(done.error().code() == ErrorCode::partial);
    CHECK(!done.error().next().empty());
}

TEST_CASE("a cgroup that was made is removed again when a later step fails") {
    Host host;
    host.tree.directory("cg");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    Plan plan{point, {}, {}};
    plan.steps.push_back({MakeCgroup{"/penstock"}, "first"});
    plan.steps.push_back({WriteControl{"/gone", {"io.max", "x"}, {"io.max", "y"}}, "second"});
    CHECK(!executor.run(plan));
    CHECK(!std::filesystem::exists(host.tree.path("cg/penstock")));
}

TEST_CASE("a limit is lowered step by step, in time, and comes back when a later step fails") {
    Host host;
    host.cgroup("/vm", "");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    REQUIRE(executor.run(plan_set(point, {}, limit(5000))));
    const auto start = std::chrono::steady_clock::now();
    auto plan = plan_set(point, {limit(5000), std::nullopt}, limit(500));
    REQUIRE(plan.steps.size() == 3);
    REQUIRE(executor.run(plan));
    CHECK(*executor.read(point) == limit(500));
    CHECK(std::chrono::steady_clock::now() - start >= 2 * rung_earliest);

    plan = plan_set(point, {limit(500), std::nullopt}, limit(100));
    plan.steps.push_back({WriteControl{"/gone", {"io.max", "x"}, {"io.max", "y"}}, "a cgroup that has been removed"});
    REQUIRE(!executor.run(plan));
    CHECK(*executor.read(point) == limit(500));
}

TEST_CASE("where the moment has passed, what was written last is written again") {
    Host host;
    host.cgroup("/vm", "");
    host.tree.file("cg/vm/again", "");
    Executor executor{host.roots, &host.hierarchy, nullptr};
    REQUIRE(executor.run({point, {{WriteControl{"/vm", {"again", "x"}, {"again", "x"}}, "starts a slice"}}, {}, {}}));
    host.tree.file("cg/vm/again", "");
    std::this_thread::sleep_for(2 * rung_latest);
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(executor.run({point, {{LowerControl{"/vm", {"io.max", "y"}, {"io.max", "z"}}, "late"}}, {}, {}}));
    CHECK(std::chrono::steady_clock::now() - start >= rung_earliest);
    CHECK(*read_file(host.tree.path("cg/vm/again")) == "x");
    CHECK(host.content("/vm") == "y");
}

TEST_CASE("a point is unused until the kernel has counted a request there") {
    Host host;
    host.cgroup("/vm", "");
    CHECK(!Executor{host.roots, &host.hierarchy, nullptr}.unused(point)); // it counts nothing
    const auto unused = [&](const std::string& stat) {
        host.tree.file("cg/vm/io.stat", stat);
        return Executor{host.roots, &host.hierarchy, nullptr}.unused(point);
    };
    CHECK(unused(""));
    CHECK(unused("7:4 rbytes=0 wbytes=4096 rios=0 wios=1 dbytes=0 dios=0\n"));
    CHECK(unused("7:3 rbytes=0 wbytes=0 rios=0 wios=0 dbytes=0 dios=0\n"));
    CHECK(!unused("7:3 rbytes=0 wbytes=4096 rios=0 wios=1 dbytes=0 dios=0\n"));
}
