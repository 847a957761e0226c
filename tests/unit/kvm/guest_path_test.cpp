// SPDX-License-Identifier: Apache-2.0
#include "guest_path.hpp"
#include "support.hpp"

#include "catch.hpp"

#include <penstock/disk_record.hpp>

#include <sys/stat.h>
#include <sys/sysmacros.h>

using namespace penstock::kvm;
namespace sdk = penstock::sdk;

TEST_CASE("paths are those of the process") {
    TemporaryDirectory proc;
    proc.write("7/root/images/a.img", "x");
    proc.link("7/cwd", "/images");
    const auto directory = proc.open();
    const GuestPaths paths{directory.get(), 7};
    CHECK(paths.absolute("/x") == "/x");
    CHECK(paths.absolute("a.img") == "/images/a.img");
    sdk::OwnedLayer layer;
    layer.path = "a.img";
    paths.locate(layer);
    struct stat inode {};
    REQUIRE(::stat((proc.path() + "/7/root/images/a.img").c_str(), &inode) == 0);
    CHECK(layer.path == "/images/a.img");
    CHECK(layer.kind == PENSTOCK_LAYER_FILE);
    CHECK((layer.flags & PENSTOCK_LAYER_HAS_ST_DEV) != 0);
    CHECK(layer.st_dev_major == major(inode.st_dev));
    CHECK(layer.st_dev_minor == minor(inode.st_dev));
}

TEST_CASE("a symbolic link does not lead out of the process's root") {
    TemporaryDirectory proc;
    proc.write("outside", "secret");
    proc.write("7/root/keep", "");
    proc.link("7/root/up", "../../outside");
    proc.link("7/root/absolute", proc.path() + "/outside");
    const auto directory = proc.open();
    const GuestPaths paths{directory.get(), 7};
    for (const char* path : {"/up", "/absolute", "/../../outside", "../outside", "", "/none"})
        CHECK_FALSE(paths.open(path));
    CHECK_FALSE(paths.open(std::string{"/keep\0x", 7}));
    CHECK(paths.open("/keep"));
}

TEST_CASE("a relative name that the process left behind is found among its descriptors") {
    TemporaryDirectory proc;
    proc.write("7/root/images/a.img", "x");
    proc.link("7/cwd", "/");
    proc.link("7/fd/3", "socket:[5]");
    proc.link("7/fd/4", "/images/a.img");
    const auto directory = proc.open();
    sdk::OwnedLayer layer;
    layer.path = "a.img";
    GuestPaths{directory.get(), 7}.locate(layer);
    CHECK(layer.path == "/images/a.img");
    CHECK((layer.flags & PENSTOCK_LAYER_HAS_ST_DEV) != 0);
}
