// SPDX-License-Identifier: Apache-2.0
#include "resolve/placement.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

// A host with cgroups as directories and processes as /proc entries.
struct Host {
    FakeTree tree;
    Roots roots;
    Hierarchy hierarchy;
    Instance instance;
    std::vector<Actor> actors;

    explicit Host(CgroupVersion version) {
        roots.proc = tree.path("proc");
        hierarchy = {version, tree.path("cg"), "/", {}};
        instance.key = {"kvm", "u1", "10-5"};
        instance.main_pid = 10;
    }
    void cgroup(const std::string& path, const std::string& processes, const std::string& subtree = "") {
        tree.file("cg" + path + "/cgroup.procs", processes);
        tree.file("cg" + path + "/cgroup.subtree_control", subtree + "\n");
    }
    void process(pid_t pid, const std::string& path, pid_t parent = 1) {
        const auto at = "proc/" + std::to_string(pid) + "/";
        const auto line = (hierarchy.version == CgroupVersion::v1 ? "7:blkio:" : "0::") + path + "\n";
        tree.file(at + "cgroup", line);
        tree.file(at + "task/" + std::to_string(pid) + "/cgroup", line);
        tree.file(at + "stat", std::to_string(pid) + " (q) S " + std::to_string(parent) +
                                   " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 500 0 0\n");
    }
    void actor(pid_t pid, Answer movable = Answer::yes, ActorRole role = ActorRole::emulator) {
        actors.push_back({role, pid, pid, 500, Answer::yes, movable, {}, "q"});
    }
    Placement placed() { return place(roots, hierarchy, instance, actors); }
};

} // namespace

TEST_CASE("v1: a cgroup that holds nobody else is used as it is") {
    Host host{CgroupVersion::v1};
    host.cgroup("/machine/vm", "10\n");
    host.process(10, "/machine/vm");
    host.actor(10, Answer::no);
    const auto placement = host.placed();
    CHECK(placement.cgroup == "/machine/vm");
    CHECK(placement.moves.empty());
    CHECK(!placement.obstacle);
}

TEST_CASE("v1: a process of the root cgroup gets a cgroup of its own, without asking") {
    Host host{CgroupVersion::v1};
    host.cgroup("", "1\n10\n");
    host.process(10, "/");
    host.actor(10);
    const auto placement = host.placed();
    CHECK(placement.cgroup == "/penstock/kvm-u1");
    CHECK(placement.create);
    CHECK(placement.moves == std::vector<ProcessMove>{{10, 500, "/"}});
    CHECK(placement.adopt.empty());
}

TEST_CASE("v1: where blkio is mounted with another controller, moving needs --adopt") {
    Host host{CgroupVersion::v1};
    host.hierarchy.shared_with = {"cpu"};
    host.cgroup("", "1\n10\n");
    host.process(10, "/");
    host.actor(10);
    CHECK(host.placed().adopt.find("cpu") != std::string::npos);
}

TEST_CASE("v2: moving takes a process out of its other limits, so it needs --adopt; io is enabled on the way down") {
    Host host{CgroupVersion::v2};
    host.cgroup("", "1\n", "memory pids");
    host.cgroup("/user", "10\n99\n");
    host.process(10, "/user");
    host.process(99, "/user");
    host.actor(10);
    const auto placement = host.placed();
    CHECK(placement.cgroup == "/penstock/kvm-u1");
    CHECK(placement.adopt.find("99") != std::string::npos);
    CHECK(placement.enable_io == std::vector<std::string>{"/", "/penstock"});
}

TEST_CASE("v2: kernel threads of the root cgroup leave no limits, so that moving them needs no --adopt") {
    Host host{CgroupVersion::v2};
    host.instance.main_pid = 0; // a Xen domain has no process of its own
    host.cgroup("", "1\n10\n11\n", "io");
    host.process(10, "/", 2);
    host.process(11, "/", 2);
    host.actor(10, Answer::yes, ActorRole::blkback);
    host.actor(11, Answer::yes, ActorRole::blkback);
    const auto placement = host.placed();
    CHECK(placement.moves == std::vector<ProcessMove>{{10, 500, "/"}, {11, 500, "/"}});
    CHECK(placement.enable_io == std::vector<std::string>{"/penstock"});
    CHECK(placement.adopt.empty());
    CHECK(!placement.obstacle);

    SECTION("with a QEMU beside them it does") {
        host.cgroup("/user", "20\n99\n");
        host.process(20, "/user");
        host.process(99, "/user");
        host.actor(20);
        CHECK(!host.placed().adopt.empty());
    }
    SECTION("a thread that was attached later is moved to those that were moved before") {
        host.cgroup("/penstock", "", "io");
        host.cgroup("/penstock/kvm-u1", "10\n");
        host.process(10, "/penstock/kvm-u1", 2);
        const auto again = host.placed();
        CHECK(again.cgroup == "/penstock/kvm-u1");
        CHECK(again.moves == std::vector<ProcessMove>{{11, 500, "/"}});
        CHECK(again.adopt.empty());
    }
}

TEST_CASE("v2: the cgroup of an earlier life does not keep io from being enabled above a new one") {
    Host host{CgroupVersion::v2};
    host.cgroup("", "1\n10\n", "io");
    host.cgroup("/penstock", "", "io");
    host.cgroup("/penstock/kvm-u1", ""); // empty: it is removed before the limit is set
    host.process(10, "/");
    host.actor(10, Answer::yes, ActorRole::blkback);
    CHECK(host.placed().enable_io == std::vector<std::string>{"/penstock"});
}

TEST_CASE("v2: libvirt's scope is the cgroup, not the one below it that the process is in") {
    Host host{CgroupVersion::v2};
    host.cgroup("", "1\n", "io memory");
    host.cgroup("/machine.slice", "", "io");
    host.cgroup("/machine.slice/vm.scope", "", "io");
    host.cgroup("/machine.slice/vm.scope/libvirt", "10\n");
    host.process(10, "/machine.slice/vm.scope/libvirt");
    host.actor(10, Answer::no);
    const auto placement = host.placed();
    CHECK(placement.cgroup == "/machine.slice/vm.scope");
    CHECK(placement.enable_io.empty());
}

TEST_CASE("v2: a stranger in a cgroup below makes it nobody's own") {
    Host host{CgroupVersion::v2};
    host.cgroup("", "1\n", "io");
    host.cgroup("/vm", "10\n");
    host.cgroup("/vm/sub", "77\n");
    host.process(10, "/vm");
    host.process(77, "/vm/sub");
    host.actor(10, Answer::no);
    const auto placement = host.placed();
    REQUIRE(placement.obstacle);
    CHECK(placement.obstacle->reason.find("77") != std::string::npos);
}

TEST_CASE("a child that one of its processes has just started is no stranger") {
    Host host{CgroupVersion::v1};
    host.cgroup("/vm", "10\n11\n");
    host.process(10, "/vm");
    host.process(11, "/vm", 10);
    host.actor(10, Answer::no);
    CHECK(host.placed().cgroup == "/vm");
}

TEST_CASE("v1: a thread in another cgroup is not covered, and that is said") {
    Host host{CgroupVersion::v1};
    host.cgroup("/vm", "10\n");
    host.process(10, "/vm");
    host.tree.file("proc/10/task/12/cgroup", "7:blkio:/elsewhere\n");
    host.actor(10, Answer::no);
    const auto placement = host.placed();
    REQUIRE(placement.notes.size() == 1);
    CHECK(placement.notes[0] == "thread 12 is in cgroup /elsewhere and not covered");
}

TEST_CASE("processes that have ended leave an obstacle, not a guess") {
    Host host{CgroupVersion::v1};
    host.actor(10);
    CHECK(host.placed().obstacle);
    host.actors.clear();
    CHECK(host.placed().obstacle);
}
