// SPDX-License-Identifier: Apache-2.0
#include "cgroup.hpp"

#include "catch.hpp"
#include "data.hpp"
#include "device_access.hpp"

using namespace penstock::lxc;

TEST_CASE("memberships of a container on a host with both versions") {
    const auto all = parse_memberships(captured("unprivileged.cgroup"));
    CHECK(all.size() == 10);
    CHECK(membership_of(all, "blkio")->path == "/lxc.payload.hwu");
    CHECK(membership_of(all, "")->controllers.empty());
    CHECK(membership_of(all, "io") == nullptr);
    CHECK(io_membership(all)->controllers == "blkio");
    CHECK(io_membership(parse_memberships("0::/a:b\n"))->path == "/a:b");
    CHECK(parse_memberships("\n1:x\nfoo\n2:cpu:relative").empty());
}

TEST_CASE("the cgroup that LXC made, not the one that init moved to") {
    CHECK(payload_cgroup("/lxc.payload.web", {"web"}) == "/lxc.payload.web");
    CHECK(payload_cgroup("/lxc.payload.web/init.scope", {"web"}) == "/lxc.payload.web");
    CHECK(payload_cgroup("/lxc.payload.web-1/init.scope", {"web"}) == "/lxc.payload.web-1");
    CHECK(payload_cgroup("/lxc.payload.webmail", {"web"}) == "/lxc.payload.webmail");
    CHECK(payload_cgroup("/lxc/101/ns/init.scope", {"101"}) == "/lxc/101");
    CHECK(payload_cgroup("/machine/x/init.scope", {"web"}) == "/machine/x");
    CHECK(payload_cgroup("/lxc.payload.a/lxc.payload.a/x", {"a", "a"}) == "/lxc.payload.a/lxc.payload.a");
    CHECK(payload_cgroup("/lxc.payload.web/x/lxc.payload.web", {"web"}) == "/lxc.payload.web");
    CHECK(payload_cgroup("/lxc.payload.outer/lxc.payload.inner", {"outer", "inner"}) ==
          "/lxc.payload.outer/lxc.payload.inner");
    CHECK(payload_cgroup("/init.scope", {"web"}) == "/init.scope");
    CHECK(payload_cgroup("/", {"web"}) == "/");
}

TEST_CASE("hierarchies are found where the host mounted them, below the given /sys") {
    const CgroupMounts mounts{[] { return captured("host-v1.mountinfo"); }, "/fake"};
    CHECK(mounts.directory_of({"blkio", "/a"}, "/a/b") == "/fake/fs/cgroup/blkio/a/b");
    CHECK(mounts.directory_of({"", "/a"}, "/a") == "/fake/fs/cgroup/unified/a");
    CHECK(!mounts.directory_of({"net_cls", "/a"}, "/a"));
}

TEST_CASE("what the device controller lets a container do") {
    const char* list = "c *:* rwm\nb 7:* r\nb 8:16 rw\nb 9:1 m\n";
    CHECK(device_access(list, 7, 3).read);
    CHECK(!device_access(list, 7, 3).write);
    CHECK(device_access(list, 8, 16).write);
    CHECK(!device_access(list, 8, 17).read);
    CHECK(!device_access(list, 9, 1).read);
    CHECK(device_access("a *:* rwm\n", 1, 2).write);
    CHECK(!device_access("", 1, 2).read);
}
