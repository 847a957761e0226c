// SPDX-License-Identifier: Apache-2.0
#include "discovery.hpp"

#include "catch.hpp"
#include "container_tasks.hpp"
#include "fake_proc.hpp"

using namespace penstock::lxc;
using namespace std::string_literals;

namespace {

struct Found {
    std::vector<Container> containers;
    std::vector<std::string> log;
    std::vector<std::string> ids() const {
        std::vector<std::string> out;
        for (const auto& container : containers) out.push_back(container.id);
        return out;
    }
};

Found discover(const FakeProc& proc, bool nested = true, const std::string& sys = "/nonexistent") {
    const Processes processes{proc.root()};
    const CgroupMounts mounts{[] { return "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"; }, sys};
    Found found;
    found.containers =
        Discovery{processes, mounts, nested, [&](const std::string& why) { found.log.push_back(why); }}.run();
    return found;
}

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("a container is a monitor and its init") {
    FakeProc proc;
    proc.add_container(10, "/var/lib/lxc", "web");
    const auto found = discover(proc);
    REQUIRE(found.ids() == Ids{"/var/lib/lxc/web"});
    const auto& container = found.containers[0];
    CHECK(container.name == "web");
    CHECK(container.init == 11);
    CHECK(container.incarnation() == "11-100");
    CHECK(container.monitor == 10);
    CHECK(container.cgroup == "/lxc.payload.web");
    CHECK(!container.nested);
}

TEST_CASE("containers of several lxcpaths with the same name are different ones") {
    FakeProc proc;
    proc.add_container(10, "/var/lib/lxc", "web");
    proc.add_container(20, "/home/joe/.local/share/lxc", "web");
    CHECK(discover(proc).ids() == Ids{"/var/lib/lxc/web", "/home/joe/.local/share/lxc/web"});
}

TEST_CASE("sockets decide how a title with blanks is read") {
    FakeProc proc;
    proc.listen(7, "/tmp/my lxc/weird name/command");
    proc.add_container(10, "/tmp/my lxc", "weird name");
    CHECK(discover(proc).ids() == Ids{"/tmp/my lxc/weird name"});
}

TEST_CASE("a foreground start is known by the socket it holds") {
    FakeProc proc;
    proc.listen(4242, "/var/lib/lxc/101/command");
    FakeProc::Process start;
    start.parent = 1;
    start.command_line = "/usr/bin/lxc-start\0-F\0-n\000101\0"s;
    start.comm = "lxc-start";
    start.sockets = {9, 4242};
    SECTION("held") {
        proc.add(10, start);
        proc.make_directory("10/root/var/lib/lxc/101");
        proc.add_init(10, "101");
        CHECK(discover(proc).ids() == Ids{"/var/lib/lxc/101"});
    }
    SECTION("not held") {
        start.sockets = {9};
        proc.add(10, start);
        proc.make_directory("10/root/var/lib/lxc/101");
        proc.add_init(10, "101");
        CHECK(discover(proc).ids().empty());
    }
    SECTION("a line faked by a newline in somebody's socket name does not rename it") {
        proc.listen(4242, "/var/lib/lxc/102/command");
        proc.add(10, start);
        proc.make_directory("10/root/var/lib/lxc/101");
        proc.add_init(10, "101");
        CHECK(discover(proc).ids() == Ids{"/var/lib/lxc/101"});
    }
}

TEST_CASE("a monitor below another parent is found by its socket") {
    FakeProc proc;
    proc.listen(5, "/home/joe/lxc/web/command");
    proc.add(40, {.parent = 1, .command_line = "systemd --user"});
    proc.add_container(50, "/home/joe/lxc", "web", 40);
    CHECK(discover(proc).ids() == Ids{"/home/joe/lxc/web"});
}

TEST_CASE("without an init there is no container") {
    FakeProc proc;
    FakeProc::Process monitor;
    monitor.parent = 1;
    monitor.command_line = "[lxc monitor] /var/lib/lxc web\0"s;
    monitor.comm = "lxc-start";
    proc.add(10, monitor);
    proc.make_directory("10/root/var/lib/lxc/web");
    FakeProc::Process child;
    child.parent = 10;
    child.comm = "lxc-start";
    child.mount_namespace = "mnt:[10]";
    SECTION("starting: still LXC's own code") {
        child.flags = 0x40;
        proc.add(11, child);
        CHECK(discover(proc).ids().empty());
    }
    SECTION("restored by CRIU: never called execve, yet another program") {
        child.flags = 0x40;
        child.comm = "systemd";
        proc.add(11, child);
        CHECK(discover(proc).ids() == Ids{"/var/lib/lxc/web"});
    }
    SECTION("a hook shares the monitor's mount namespace") {
        child.mount_namespace = monitor.mount_namespace;
        proc.add(11, child);
        CHECK(discover(proc).ids().empty());
    }
    SECTION("a zombie is no init") {
        child.state = 'Z';
        proc.add(11, child);
        CHECK(discover(proc).ids().empty());
    }
    SECTION("the oldest child in a namespace of its own is the init") {
        child.start = 300;
        proc.add(11, child);
        child.start = 200;
        proc.add(12, child);
        REQUIRE(discover(proc).containers.size() == 1);
        CHECK(discover(proc).containers[0].init == 12);
    }
}

TEST_CASE("a program started under a monitor's title with arguments is none") {
    FakeProc proc;
    FakeProc::Process fake;
    fake.parent = 1;
    fake.command_line = "[lxc monitor] /var/lib/lxc web\0-c\0sleep 1\0"s;
    proc.add(10, fake);
    proc.add_init(10, "web");
    CHECK(discover(proc).ids().empty());
}

TEST_CASE("a second monitor of one container is not believed") {
    FakeProc proc;
    proc.add_container(10, "/var/lib/lxc", "web");
    proc.add_container(20, "/var/lib/lxc", "web");
    const auto found = discover(proc);
    CHECK(found.containers.size() == 1);
    CHECK(found.log.size() == 1);
}

TEST_CASE("a user's claim is believed only for directories of that user") {
    if (geteuid() == 0) return; // root's claim always is
    FakeProc proc;
    proc.add_container(10, "/var/lib/lxc", "web");
    std::filesystem::remove_all(proc.root() + "/10/root");
    const auto found = discover(proc);
    CHECK(found.ids().empty());
    CHECK(found.log.size() == 1);
}

TEST_CASE("a cgroup that the monitor shares is not the container's") {
    FakeProc proc;
    const auto with = [&](const std::string& monitor_cgroup, const std::string& init_cgroup) {
        FakeProc::Process monitor;
        monitor.parent = 1;
        monitor.command_line = "[lxc monitor] /home/joe/lxc user-1000.slice\0"s;
        monitor.cgroup = "0::" + monitor_cgroup + "\n";
        proc.add(10, monitor);
        proc.make_directory("10/root/home/joe/lxc/user-1000.slice");
        FakeProc::Process init;
        init.parent = 10;
        init.mount_namespace = "mnt:[10]";
        init.cgroup = "0::" + init_cgroup + "\n";
        proc.add(11, init);
        const auto found = discover(proc);
        REQUIRE(found.containers.size() == 1);
        return found.containers[0].cgroup;
    };
    SECTION("root of all") { CHECK(with("/", "/").empty()); }
    SECTION("named like a slice of other people") {
        CHECK(with("/user.slice/user-1000.slice/a", "/user.slice/user-1000.slice/b").empty());
    }
    SECTION("its own") { CHECK(with("/user.slice/a", "/user.slice/b/init.scope") == "/user.slice/b"); }
}

TEST_CASE("a nested container is named after the outer one") {
    FakeProc proc, sys;
    proc.add_container(10, "/var/lib/lxc", "outer");
    proc.add_container(20, "/var/lib/lxc", "outer", 11);
    proc.write("20/cgroup", "0::/lxc.payload.outer/lxc.monitor.outer\n");
    proc.write("21/cgroup", "0::/lxc.payload.outer/lxc.payload.outer\n");
    sys.make_directory("fs/cgroup/lxc.payload.outer/lxc.payload.outer");
    const auto found = discover(proc, true, sys.root());
    REQUIRE(found.ids() == Ids{"/var/lib/lxc/outer", "/var/lib/lxc/outer//var/lib/lxc/outer"});
    CHECK(found.containers[1].name == "outer/outer");
    CHECK(found.containers[1].nested);
    CHECK(found.containers[1].cgroup == "/lxc.payload.outer/lxc.payload.outer");
    CHECK(found.containers[1].names() == Ids{"outer", "outer"});
    CHECK(discover(proc, false, sys.root()).ids() == Ids{"/var/lib/lxc/outer"});
}

TEST_CASE("descendants come from the parents the kernel names") {
    FakeProc proc;
    proc.add(10, {.parent = 1});
    proc.add(11, {.parent = 10});
    proc.add(12, {.parent = 11});
    proc.add(13, {.parent = 1});
    CHECK(descendants_of(Processes{proc.root()}, 10) == std::vector<int>{11, 12});
}
