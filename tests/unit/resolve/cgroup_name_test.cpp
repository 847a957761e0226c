// SPDX-License-Identifier: Apache-2.0
#include "resolve/cgroup_name.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("a uuid stays readable, everything else cannot leave its directory") {
    CHECK(cgroup_for({"kvm", "2f9c36cb-9d1f-4888-951c-e6519fcdf332", ""}) ==
          "/penstock/kvm-2f9c36cb-9d1f-4888-951c-e6519fcdf332");
    CHECK(safe_name({"kvm", "name:../../etc", ""}) == "kvm-name%3A..%2F..%2Fetc");
    CHECK(safe_name({"lxc", "a b\n", ""}) == "lxc-a%20b%0A");
}

TEST_CASE("long ids are cut, and told apart all the same") {
    const std::string id(4000, 'x');
    const auto a = safe_name({"lxc", id + "a", ""});
    const auto b = safe_name({"lxc", id + "b", ""});
    CHECK(a.size() < 200);
    CHECK(a != b);
}

TEST_CASE("only what is below our cgroup is ours") {
    CHECK(is_own_cgroup("/penstock/kvm-1"));
    CHECK(!is_own_cgroup("/penstock"));
    CHECK(!is_own_cgroup("/penstock-of-others/x"));
}
