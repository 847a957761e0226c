// SPDX-License-Identifier: Apache-2.0
#include "resolve/address.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

Instance instance(std::string kind, std::string name, std::string id) {
    Instance out;
    out.key = {std::move(kind), std::move(id), "1-1"};
    out.name = std::move(name);
    return out;
}

const std::vector<Instance> host{
    instance("kvm", "db1", "0a1b"),       instance("lxc", "db1", "/var/lib/lxc/db1"),
    instance("kvm", "web", "77"),         instance("lxc", "a:b", "/x/a:b"),
    instance("lxc", "a", "/x/a"),         instance("kvm", "kvm/odd", "5"),
    instance("lxc", "twin", "/one/twin"), instance("lxc", "twin", "/two/twin"),
};

std::string found(std::string_view address) {
    const auto match = match_address(address, host);
    return match ? match->instance->key.id + "|" + match->disk
                 : std::string{name(match.error().code())} + ": " + match.error().next();
}

} // namespace

TEST_CASE("an instance is found by name, id and kind, with or without a disk") {
    CHECK(found("web") == "77|");
    CHECK(found("web:vda") == "77|vda");
    CHECK(found("77:vda") == "77|vda");
    CHECK(found("kvm/db1:vda") == "0a1b|vda");
    CHECK(found("lxc//var/lib/lxc/db1:srv/db") == "/var/lib/lxc/db1|srv/db");
}

TEST_CASE("names may hold colons and slashes: the longest name that exists wins") {
    CHECK(found("a:b") == "/x/a:b|");
    CHECK(found("a:b:rootfs") == "/x/a:b|rootfs");
    CHECK(found("a:c") == "/x/a|c");
    CHECK(found("kvm/odd") == "5|");
}

TEST_CASE("a name that means two instances is a conflict that lists clear addresses") {
    CHECK(found("db1") == "conflict: use one of: kvm/db1, lxc/db1");
    CHECK(found("twin:rootfs") == "conflict: use one of: lxc//one/twin, lxc//two/twin");
}

TEST_CASE("an unknown name is met with the nearest one") {
    CHECK(found("wev") == "not_found: did you mean 'web'?");
    CHECK(found("zzzzzzz") == "not_found: see 'penstock list'");
}

TEST_CASE("a name cannot send an escape sequence to the terminal") {
    const std::vector<Instance> hostile{instance("kvm", "evil\x1b[2J", "1")};
    CHECK(address_of(hostile[0], "v\nda") == "kvm/evil\\x1b[2J:v\\x0ada");
    CHECK(match_address("\x1b[2J", hostile).error().text().find('\x1b') == std::string::npos);
}
