// SPDX-License-Identifier: Apache-2.0
#include "blkback_thread.hpp"

#include "catch.hpp"

using namespace penstock::xen;

namespace {

std::vector<Vbd> disks(const std::vector<std::string>& devs) {
    std::vector<Vbd> out;
    for (const auto& dev : devs) out.push_back({.kind = "vbd", .dev = dev});
    return out;
}

// The disks that a thread called `comm` may serve, of domain `domid`.
std::vector<std::string> served(const std::string& comm, std::uint32_t domid, const std::vector<Vbd>& of) {
    const auto name = parse_blkback_name(comm);
    std::vector<std::string> out;
    if (!name) return out;
    for (const auto* disk : served_by({{}, *name}, domid, of)) out.push_back(disk->dev);
    return out;
}
using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a thread of blkback is called after domid, disk and ring") {
    CHECK(parse_blkback_name("1.xvda-0") == BlkbackName{1, "xvda", false});
    CHECK(parse_blkback_name("32750.sda1-15") == BlkbackName{32750, "sda1", false});
    CHECK(parse_blkback_name("blkback.3.hda") == BlkbackName{3, "hda", false});
    CHECK(parse_blkback_name("blkback.3.hda-1") == BlkbackName{3, "hda", false});
}

TEST_CASE("the old names are cut to 15 characters") {
    CHECK(parse_blkback_name("blkback.123.xvd") == BlkbackName{123, "xvd", true});
    CHECK(parse_blkback_name("blkback.12.xvda") == BlkbackName{12, "xvda", true}); // or more of it
    CHECK(parse_blkback_name("blkback.1.xvda-") == BlkbackName{1, "xvda", false});
    CHECK(parse_blkback_name("blkback.1.hda-1") == BlkbackName{1, "hda", false}); // ring 1, or 10
}

TEST_CASE("other kernel threads are none of blkback's") {
    for (const char* comm :
         {"", ".", "1", "1.", "1.xvda", "1.-0", "1.xvda-", "1.xvda-x", "x.xvda-0", ".xvda-0", "blkback.",
          "blkback.x.xvda", "kworker/0:1", "jbd2/vda-8", "kdmflush/252:0", "-1.xvda-0", "4294967296.xvda-0"}) {
        INFO(comm);
        CHECK(!parse_blkback_name(comm));
    }
}

TEST_CASE("a thread serves the disk it is called after, and no disk whose name only begins so") {
    const auto of = disks({"xvda", "xvda1", "xvdaa", "xvdb"});
    CHECK(served("1.xvda-0", 1, of) == Names{"xvda"});
    CHECK(served("1.xvdaa-1", 1, of) == Names{"xvdaa"});
    CHECK(served("1.xvdc-0", 1, of).empty());
    CHECK(served("11.xvda-0", 1, of).empty());
    CHECK(served("blkback.1.xvdb", 1, of) == Names{"xvdb"});
}

TEST_CASE("a name that is cut off may be that of several disks, all of its domain") {
    const auto of = disks({"xvda", "xvdb", "hda"});
    CHECK(served("blkback.123.xvd", 123, of) == Names{"xvda", "xvdb"});
    CHECK(served("blkback.123.xvd", 12, of).empty());
}

TEST_CASE("disks of QEMU, and of backends in other domains, have no thread here") {
    auto of = disks({"xvda", "xvda"});
    of[0].kind = "qdisk";
    of[1].backend = 5;
    CHECK(served("1.xvda-0", 1, of).empty());
}
