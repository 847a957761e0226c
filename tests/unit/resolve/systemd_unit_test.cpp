// SPDX-License-Identifier: Apache-2.0
#include "resolve/systemd_unit.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

TEST_CASE("the unit of a cgroup is the innermost one, and what a unit delegates is no unit") {
    CHECK(unit_of("/system.slice/cron.service") == "cron.service");
    CHECK(unit_of("/machine.slice/machine-qemu\\x2d1\\x2ddb.scope/libvirt/emulator") ==
          "machine-qemu\\x2d1\\x2ddb.scope");
    CHECK(unit_of("/user.slice/user-0.slice/session-1.scope") == "session-1.scope");
    CHECK(unit_of("/system.slice/docker.service/x/evil.service") == "docker.service");
    CHECK(unit_of("/lxc.payload.web").empty());
    CHECK(unit_of("/lxc.payload.web/system.slice/a.service").empty());
    CHECK(unit_of("/penstock/kvm-1").empty());
    CHECK(unit_of("/").empty());
}

TEST_CASE("systemd is there where its directory is, and not behind a link") {
    FakeTree tree;
    Roots roots;
    roots.run = tree.path();
    CHECK(!systemd_runs(roots));
    tree.directory("elsewhere");
    tree.link("systemd/system", tree.path("elsewhere"));
    CHECK(!systemd_runs(roots));
    FakeTree other;
    other.directory("systemd/system");
    roots.run = other.path();
    CHECK(systemd_runs(roots));
}

TEST_CASE("a unit that has been told to keep io is not told again") {
    FakeTree tree;
    Roots roots;
    roots.run = tree.path();
    CHECK(!keeps_io(roots, "vm.scope"));
    CHECK(!keeps_io(roots, std::string{anchor_unit}));
    tree.file("systemd/transient/vm.scope.d/50-IOAccounting.conf", "");
    tree.file("systemd/system.control/cron.service.d/50-IOAccounting.conf", "");
    tree.file("systemd/transient/penstock.slice", "");
    CHECK(keeps_io(roots, "vm.scope"));
    CHECK(keeps_io(roots, "cron.service"));
    CHECK(keeps_io(roots, std::string{anchor_unit}));
    CHECK(!keeps_io(roots, "other.scope"));
}
