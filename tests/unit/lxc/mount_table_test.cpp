// SPDX-License-Identifier: Apache-2.0
#include "mount_table.hpp"

#include "catch.hpp"
#include "data.hpp"
#include "overlay.hpp"

using namespace penstock::lxc;

TEST_CASE("a line of mountinfo, its optional tags and its escapes") {
    const auto mounts = parse_mountinfo("171 165 254:0 /srv\\040data /my\\011d\\012b\\134!x rw,relatime shared:64 "
                                        "master:1 - ext4 /dev/vda rw,discard\n");
    REQUIRE(mounts.size() == 1);
    CHECK(mounts[0].id == 171);
    CHECK(mounts[0].major == 254);
    CHECK(mounts[0].root == "/srv data");
    CHECK(mounts[0].point == "/my\td\nb\\!x");
    CHECK(mounts[0].type == "ext4");
    CHECK(mounts[0].source == "/dev/vda");
    CHECK(mounts[0].super_options == "rw,discard");
    CHECK(!mounts[0].read_only);
}

TEST_CASE("read-only is the mount's word or the file system's") {
    CHECK(parse_mountinfo("1 0 7:0 / / ro,relatime - ext4 /dev/loop0 rw")[0].read_only);
    CHECK(parse_mountinfo("1 0 7:0 / / rw - ext4 /dev/loop0 ro,errors=remount-ro")[0].read_only);
    CHECK(!parse_mountinfo("1 0 7:0 / / rw,errors=remount-ro - ext4 /dev/loop0 rw,rom=1")[0].read_only);
}

TEST_CASE("what is not octal stays as it is") {
    CHECK(unescape_octal("a\\9b\\04") == "a\\9b\\04");
    CHECK(unescape_octal("\\777\\040") == "\\777 ");
    CHECK(unescape_octal("\\") == "\\");
    CHECK(unescape_octal("\\141\\134040") == "a\\040");
}

TEST_CASE("broken lines are left out") {
    for (const char* line : {"", "1", "1 2 3 4 5 6 7 8 9 10", "x 0 7:0 / / rw - ext4 a rw", "1 0 7 / / rw - ext4 a rw",
                             "1 0 7:x / / rw - ext4 a rw", "1 0 7:0 / / rw - ext4 a", "1 0 7:0 / / rw shared:1 -"}) {
        CAPTURE(line);
        CHECK(parse_mountinfo(line).empty());
    }
    const auto whole = captured("unprivileged.mountinfo");
    CHECK(parse_mountinfo(whole).size() == 18);
    for (std::size_t n = 0; n < whole.size(); n += 3) CHECK(parse_mountinfo(whole.substr(0, n)).size() <= 18);
}

TEST_CASE("an overlay's directories") {
    const auto old = parse_overlay("rw,lowerdir=/l\\0541:/l\\:2,upperdir=/u\\040p,workdir=/w,uuid=on");
    CHECK(old.upper == "/u p");
    CHECK(old.lower == std::vector<std::string>{"/l,1", "/l:2"});
    const auto recent = parse_overlay("ro,lowerdir+=/a:b,lowerdir+=/c,datadir+=/d");
    CHECK(!recent.upper);
    CHECK(recent.lower == std::vector<std::string>{"/a:b", "/c", "/d"});
    CHECK(parse_overlay("rw,lowerdir=/a::/data").lower == std::vector<std::string>{"/a", "/data"});
    CHECK(parse_overlay("").lower.empty());
}
