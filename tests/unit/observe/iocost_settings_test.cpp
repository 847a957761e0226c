// SPDX-License-Identifier: Apache-2.0
#include "observe/iocost_settings.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "observe/calibration.hpp"

using namespace penstock;

namespace {

struct Host {
    FakeTree tree;
    std::optional<IocostSettings> settings(const std::string& database) const {
        tree.file("run/udev/data/b8:0", database);
        BlockDevice disk;
        disk.number = {8, 0};
        return iocost_settings_from_udev({.run = tree.path("run")}, disk);
    }
};

// As `udevadm info --export-db` has a disk that systemd's 90-iocost.hwdb knows.
constexpr const char* known =
    "S:disk/by-id/nvme-x\nE:ID_MODEL=x\n"
    "E:IOCOST_SOLUTIONS=isolated-bandwidth isolation bandwidth naive\n"
    "E:IOCOST_MODEL_ISOLATED_BANDWIDTH=rbps=9 rseqiops=9 rrandiops=9 wbps=9 wseqiops=9 wrandiops=9\n"
    "E:IOCOST_QOS_ISOLATED_BANDWIDTH=min=9.00\n"
    "E:IOCOST_MODEL_ISOLATION=rbps=1 rseqiops=2 rrandiops=3 wbps=4 wseqiops=5 wrandiops=6\n"
    "E:IOCOST_QOS_ISOLATION=rpct=0.00 rlat=8807 wpct=0.00 wlat=59023 min=100.00 max=100.00\n";

} // namespace

TEST_CASE("udev's solution for isolation is preferred, whole") {
    const auto found = Host{}.settings(known);
    REQUIRE(found);
    CHECK(found->model == IocostModel{1, 2, 3, 4, 5, 6});
    CHECK(found->qos == "rpct=0.00 rlat=8807 wpct=0.00 wlat=59023 min=100.00 max=100.00");
}

TEST_CASE("without one for isolation it is the first, by the key that udev makes of its name") {
    std::string text = known;
    text.replace(text.find("isolation bandwidth"), 9, "elsewhere");
    const auto found = Host{}.settings(text);
    REQUIRE(found);
    CHECK(found->model == IocostModel{9, 9, 9, 9, 9, 9});
}

TEST_CASE("what udev does not know, or says halfway, is nothing") {
    CHECK(!Host{}.settings("E:ID_MODEL=x\n"));
    CHECK(!Host{}.settings("E:IOCOST_SOLUTIONS=isolation\n"));
    CHECK(!Host{}.settings(
        "E:IOCOST_SOLUTIONS=isolation\nE:IOCOST_MODEL_ISOLATION=rbps=x\nE:IOCOST_QOS_ISOLATION=min=1\n"));
    CHECK(!iocost_settings_from_udev({.run = "/nowhere"}, {}));
}

TEST_CASE("what cannot be read is not measured") {
    const auto missing = calibrate("/nowhere/disk");
    REQUIRE(!missing);
    CHECK(missing.error().sys_errno() == ENOENT);
    FakeTree tree;
    tree.file("small", "4 KiB it is not");
    const auto small = calibrate(tree.path("small"));
    REQUIRE(!small);
}
