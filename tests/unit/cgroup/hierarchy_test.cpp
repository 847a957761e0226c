// SPDX-License-Identifier: Apache-2.0
#include "cgroup/hierarchy.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

using namespace penstock;

namespace {

Roots roots_with(const FakeTree& tree, const std::string& mountinfo) {
    tree.file("proc/self/mountinfo", mountinfo);
    Roots roots;
    roots.proc = tree.path("proc");
    roots.cgroup = tree.path("cgroup");
    return roots;
}

} // namespace

TEST_CASE("a pure v2 host whose kernel has the io controller") {
    FakeTree tree;
    tree.file("cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc\n");
    const auto found =
        find_io_hierarchy(roots_with(tree, "25 24 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"));
    REQUIRE(found);
    CHECK(found->version == CgroupVersion::v2);
    CHECK(found->directory("/a b") == tree.path("cgroup") + "/a b");
    CHECK(found->directory("/") == tree.path("cgroup"));
}

TEST_CASE("a hybrid host limits block I/O on v1, although v2 is mounted") {
    FakeTree tree;
    tree.file("cgroup/unified/cgroup.controllers", "\n");
    const auto found =
        find_io_hierarchy(roots_with(tree, "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
                                           "38 31 0:35 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"));
    REQUIRE(found);
    CHECK(found->version == CgroupVersion::v1);
    CHECK(found->shared_with.empty());
    const std::vector<CgroupLine> lines{{7, {"blkio"}, "/vm"}, {0, {}, "/other"}};
    CHECK(found->line_of(lines)->path == "/vm");
}

TEST_CASE("controllers that are mounted together with blkio are named") {
    FakeTree tree;
    const auto found =
        find_io_hierarchy(roots_with(tree, "38 31 0:35 / /sys/fs/cgroup/x rw - cgroup cgroup rw,cpu,blkio\n"));
    REQUIRE(found);
    CHECK(found->shared_with == std::vector<std::string>{"cpu"});
}

TEST_CASE("v2 without io, and no cgroup at all, are said as such") {
    FakeTree tree;
    tree.file("cgroup/cgroup.controllers", "cpu memory pids\n");
    const auto without_io =
        find_io_hierarchy(roots_with(tree, "25 24 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"));
    REQUIRE(!without_io);
    CHECK(without_io.error().code() == ErrorCode::unsupported);
    CHECK(without_io.error().text().find("cpu memory pids") != std::string::npos);
    CHECK(!find_io_hierarchy(roots_with(tree, "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n")));
}

TEST_CASE("a cgroup outside of what is mounted here has no directory") {
    Hierarchy hierarchy{CgroupVersion::v2, "/cg", "/lxc/c1", {}};
    CHECK(hierarchy.directory("/lxc/c1/sub") == "/cg/sub");
    CHECK(hierarchy.directory("/lxc/c1") == "/cg");
    CHECK(!hierarchy.directory("/lxc/c10"));
    CHECK(!hierarchy.directory("/../escaped"));
    CHECK(!hierarchy.directory("/lxc/c1/../c2"));
}

TEST_CASE("in a cgroup namespace, what lies beside one's own cgroup is named by dots, as the mount is") {
    // As Linux 6.18 shows it to a process of /ptest after unshare(CLONE_NEWCGROUP), with the hierarchy mounted whole.
    Hierarchy hierarchy{CgroupVersion::v1, "/cg", "/..", {}};
    CHECK(hierarchy.directory("/..") == "/cg");
    CHECK(hierarchy.directory("/../lxc/c1") == "/cg/lxc/c1");
    CHECK(!hierarchy.directory("/"));
    CHECK(!hierarchy.directory("/../../other"));
    CHECK(!hierarchy.directory("/..x"));
}
