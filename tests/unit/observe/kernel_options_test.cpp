// SPDX-License-Identifier: Apache-2.0
#include "observe/kernel_options.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

#include <unistd.h>
#include <zlib.h>

using namespace penstock;

TEST_CASE("an option is built in, a module, or off") {
    const KernelOptions options{std::string{"CONFIG_BLK_CGROUP=y\nCONFIG_IOSCHED_BFQ=m\n"
                                            "# CONFIG_BLK_CGROUP_IOLATENCY is not set\nCONFIG_BLK_CGROUP_IOCOST=y\n"}};
    CHECK(options.state("CONFIG_BLK_CGROUP") == OptionState::built_in);
    CHECK(options.state("CONFIG_IOSCHED_BFQ") == OptionState::module);
    CHECK(options.state("CONFIG_BLK_CGROUP_IOLATENCY") == OptionState::off);
    CHECK(options.state("CONFIG_BLK_CGROUP_IO") == OptionState::off);
    CHECK(options.state("BLK_CGROUP") == OptionState::off);
    CHECK(KernelOptions{std::string{}}.state("CONFIG_BLK_CGROUP") == OptionState::unknown);
}

TEST_CASE("the running kernel's own packed word comes before what lies in /boot") {
    if (::access("/proc/config.gz", R_OK) == 0) { // as this kernel says
        const KernelOptions options{Roots{}};
        CHECK(options.source() == "/proc/config.gz");
        CHECK(options.state("CONFIG_IKCONFIG_PROC") == OptionState::built_in);
    }
    const FakeTree tree;
    tree.file("proc/config.gz", "");
    const auto file = gzopen(tree.path("proc/config.gz").c_str(), "w");
    REQUIRE(gzputs(file, "CONFIG_IOSCHED_BFQ=m\n") > 0);
    gzclose(file);
    CHECK(KernelOptions{Roots{.proc = tree.path("proc")}}.state("CONFIG_IOSCHED_BFQ") == OptionState::module);
}
