// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "plugin_bench.hpp"

using namespace penstock;

TEST_CASE("a plugin in plain C says what it found, and gets roots, clock, configuration and log from the host") {
    PluginBench bench;
    const auto plugin = bench.load("plain");
    REQUIRE(plugin);
    const auto lines = (*plugin)->probe(soon());
    REQUIRE(lines);
    REQUIRE(lines->size() == 1);
    CHECK(lines->at(0).status == ProbeStatus::present);
    CHECK(lines->at(0).component == "/does-not-exist/proc");
    CHECK(lines->at(0).version == "configured");
    CHECK(lines->at(0).detail == "absent");
    CHECK(bench.logged("org.penstock.test.plain: created \\x1b[1m"));
}

TEST_CASE("instances, disks and actors come over whole") {
    PluginBench bench;
    const auto plugin = bench.load("plain");
    REQUIRE(plugin);
    const auto instances = (*plugin)->instances(soon());
    REQUIRE(instances);
    CHECK(!instances->incomplete);
    REQUIRE(instances->items.size() == 1);
    CHECK(instances->items[0].key == some_key);
    const auto disks = (*plugin)->disks(some_key, soon());
    REQUIRE(disks);
    REQUIRE(disks->items.size() == 1);
    CHECK(disks->items[0].layers.size() == 2);
    CHECK(disks->items[0].layers[1].device == DeviceNumber{8, 16});
    const auto actors = (*plugin)->actors(some_key, soon());
    REQUIRE(actors);
    CHECK(actors->items.at(0).tid == 11);
    CHECK(actors->items.at(0).disks == std::vector<std::string>{"vda", "vdb"});
    CHECK(actors->items.at(0).movable == Answer::no);
}

TEST_CASE("who built a plugin, and with what, does not matter") {
    for (const auto* name : {"plain_of_1_0", "plain_clang", "modern_clang", "modern_old_string", "modern_of_1_0"}) {
        INFO(name);
        PluginBench bench;
        const auto plugin = bench.load(name);
        REQUIRE(plugin);
        const auto instances = (*plugin)->instances(soon());
        REQUIRE(instances);
        CHECK(!instances->incomplete);
        REQUIRE(instances->items.size() == 1);
        CHECK(instances->items[0].key == some_key);
        const auto disks = (*plugin)->disks(some_key, soon());
        const bool modern = std::string_view{name}.starts_with("modern");
        CHECK((modern ? disks.error().code() == ErrorCode::busy : disks->items.size() == 1)); // what each of them does
    }
}

TEST_CASE("a handle of an earlier life is gone") {
    PluginBench bench;
    const auto plugin = bench.load("plain");
    REQUIRE(plugin);
    CHECK((*plugin)->disks({"test", "id-1", "0-0"}, soon()).error().code() == ErrorCode::gone);
}

TEST_CASE("a limiter is told what is wanted, and answers what is in force") {
    PluginBench bench;
    const auto loaded = bench.load("plain");
    REQUIRE(loaded);
    auto& plugin = **loaded;
    REQUIRE(plugin.has_native_limit());
    const auto support = plugin.native_support(some_key, "disk0", soon());
    REQUIRE(support);
    CHECK(support->at(0).field == PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS));
    CHECK(support->at(0).maximum == 1000000);

    Limits first, second;
    first[Rate::write_bps] = 1000;
    first.burst(Rate::write_bps) = Burst{2000, 3};
    second[Rate::read_iops] = 50;
    CHECK(*plugin.native_apply(some_key, "disk0", first, soon()) == first);
    CHECK(*plugin.native_apply(some_key, "disk0", second, soon()) == merged(first, second));
    CHECK(*plugin.native_read(some_key, "disk0", soon()) == merged(first, second));
    LimitFields fields;
    fields.rates[index(Rate::write_bps)] = fields.bursts[index(Rate::write_bps)] = true;
    CHECK(*plugin.native_clear(some_key, "disk0", fields, soon()) == second);
    CHECK(plugin.native_apply(some_key, "disk9", first, soon()).error().code() == ErrorCode::gone);
}

TEST_CASE("a plugin without a limiter says so") {
    PluginBench bench;
    const auto plugin = bench.load("modern");
    REQUIRE(plugin);
    CHECK(!(*plugin)->has_native_limit());
    CHECK((*plugin)->native_read(some_key, "disk0", soon()).error().code() == ErrorCode::unsupported);
    CHECK((*plugin)->native_support(some_key, "disk0", soon()).error().code() == ErrorCode::unsupported);
    CHECK((*plugin)->native_clear(some_key, "disk0", {}, soon()).error().code() == ErrorCode::unsupported);
}

TEST_CASE("the C++ layer turns an exception into an error, and passes status, errno and delay") {
    PluginBench bench;
    const auto plugin = bench.load("modern");
    REQUIRE(plugin);
    const auto lines = (*plugin)->probe(soon());
    REQUIRE(!lines);
    CHECK(lines.error().code() == ErrorCode::internal);
    CHECK(lines.error().text() == "no probe today");
    CHECK((*plugin)->instances(soon())->items.at(0).name == "one");
    const auto disks = (*plugin)->disks(some_key, soon());
    CHECK(disks.error().code() == ErrorCode::busy);
    CHECK(disks.error().sys_errno() == EBUSY);
    CHECK(disks.error().next() == "try again in 500 ms");
    CHECK((*plugin)->disks(some_key, std::chrono::steady_clock::now()).error().code() == ErrorCode::timeout);
    CHECK((*plugin)->actors(some_key, soon())->items.empty());
}

TEST_CASE("a plugin of a later minor version works: what it knows more is not read") {
    PluginBench bench;
    const auto plugin = bench.load("grown");
    REQUIRE(plugin);
    const auto instances = (*plugin)->instances(soon());
    REQUIRE(instances);
    CHECK(!instances->incomplete);
    CHECK(instances->items.at(0).name == "one");
    CHECK(instances->items.at(0).state == InstanceState::unknown);
    const auto disks = (*plugin)->disks(some_key, soon());
    REQUIRE(disks);
    REQUIRE(disks->items.at(0).layers.size() == 2);
    CHECK(disks->items[0].layers[0].path == "/top");
    CHECK(disks->items[0].layers[1].path == "/base");
}
