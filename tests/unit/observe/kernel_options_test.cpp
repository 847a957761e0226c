// SPDX-License-Identifier: Apache-2.0
#include "observe/kernel_options.hpp"

#include "catch.hpp"

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
