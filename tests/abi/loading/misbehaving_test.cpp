// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "plugin_bench.hpp"

#include <thread>

using namespace penstock;
using namespace std::chrono_literals;

namespace {

Plugin& loaded(PluginBench& bench, const std::string& name) {
    const auto plugin = bench.load(name);
    INFO((plugin ? "" : plugin.error().text()));
    REQUIRE(plugin);
    return **plugin;
}

bool says(const Error& error, const std::string& words) {
    INFO(error.text());
    return error.text().find(words) != std::string::npos;
}

} // namespace

TEST_CASE("an exception out of a plugin is its defect, and not the end of the host") {
    PluginBench bench;
    auto& plugin = loaded(bench, "throws");
    const auto lines = plugin.probe(soon());
    CHECK(lines.error().code() == ErrorCode::internal);
    CHECK(says(lines.error(), "exception out: probe is out of order"));
    CHECK(says(plugin.instances(soon()).error(), "not a std::exception"));
    CHECK(plugin.disks(some_key, soon())->items.size() == 1);
}

TEST_CASE("a record that comes after its call has returned is not taken, and harms nothing") {
    PluginBench bench;
    auto& plugin = loaded(bench, "emits_late");
    for (int round = 0; round < 3; ++round) {
        const auto instances = plugin.instances(soon());
        REQUIRE(instances);
        CHECK(instances->items.size() == 1);
        CHECK(!instances->incomplete);
        const auto disks = plugin.disks(some_key, soon());
        REQUIRE(disks);
        CHECK(disks->items.size() == 1);
        CHECK(!disks->incomplete);
    }
    std::this_thread::sleep_for(100ms); // its threads go on
}

TEST_CASE("a thread that a plugin leaves behind outlives the host's plugin set") {
    {
        PluginBench bench;
        auto& plugin = loaded(bench, "emits_late");
        CHECK(plugin.instances(soon()));
        CHECK(plugin.disks(some_key, soon())); // leaves a thread behind
    }
    std::this_thread::sleep_for(100ms);
}

TEST_CASE("names keep their bytes") {
    PluginBench bench;
    const auto instances = loaded(bench, "not_utf8").instances(soon());
    REQUIRE(instances);
    CHECK(instances->items.at(0).name == std::string{"a\xff\0b\x1b[31m", 9});
}

TEST_CASE("duplicates are told, and both are named") {
    PluginBench bench;
    auto& plugin = loaded(bench, "duplicates");
    const auto instances = plugin.instances(soon());
    REQUIRE(instances);
    CHECK(instances->items.size() == 1);
    REQUIRE(instances->incomplete);
    CHECK(instances->incomplete->code() == ErrorCode::malformed);
    CHECK(says(*instances->incomplete, "'test/same' twice: instance 'first' and instance 'second'"));
    const auto disks = plugin.disks(some_key, soon());
    REQUIRE(disks);
    CHECK(says(disks->incomplete.value(), "'vda' twice: disk 'disk0' and disk 'disk1'"));
}

TEST_CASE("a flood is cut off") {
    PluginBench bench;
    const auto instances = loaded(bench, "flood").instances(soon());
    REQUIRE(instances);
    CHECK(instances->items.size() == 100'000);
    CHECK(instances->incomplete.value().code() == ErrorCode::partial);
}

TEST_CASE("bad records are left out, and counted") {
    PluginBench bench;
    auto& plugin = loaded(bench, "bad_records");
    const auto instances = plugin.instances(soon());
    REQUIRE(instances);
    REQUIRE(instances->items.size() == 1);
    CHECK(instances->items[0].name == "one");
#ifdef PENSTOCK_ABI_HOST // four by its own process, and the one whose kind the manifest does not name by this one
    CHECK(says(instances->incomplete.value(), "'kvm', which the manifest does not name"));
#else
    CHECK(says(instances->incomplete.value(), "5 records were left out"));
#endif
    const auto actors = plugin.actors(some_key, soon());
    REQUIRE(actors);
    REQUIRE(actors->items.size() == 1);
    CHECK(actors->items[0].pid == 42);
    CHECK(actors->items[0].role == ActorRole::unknown);
    CHECK(says(actors->incomplete.value(), "3 records were left out"));
}

TEST_CASE("each way to say no is understood") {
    PluginBench bench;
    auto& plugin = loaded(bench, "answers");
    const auto answer = [&](const char* id) {
        const auto disks = plugin.disks({"test", id, "1-1"}, soon());
        REQUIRE(!disks);
        return disks.error();
    };
    CHECK(answer("gone").code() == ErrorCode::gone);
    CHECK(answer("gone").sys_errno() == ESRCH);
    CHECK(answer("mute").code() == ErrorCode::timeout);
    CHECK(says(answer("mute"), "the plugin gave no message"));
    CHECK(answer("unknown").code() == ErrorCode::internal);
    CHECK(says(answer("unknown"), "-99"));
    CHECK(answer("positive").code() == ErrorCode::internal);
    CHECK(says(answer("bogus-errno"), "asking"));
    CHECK(answer("busy").next() == "try again in 250 ms");
    CHECK(answer("unterminated").text().size() >= 247); // all of it, or all but what a NUL takes

    const auto partial = plugin.disks({"test", "partial", "1-1"}, soon());
    REQUIRE(partial);
    CHECK(partial->items.size() == 1);
    CHECK(partial->incomplete.value().code() == ErrorCode::partial);
    CHECK(says(*partial->incomplete, "the second disk did not answer"));

    const auto lines = plugin.probe(soon());
    REQUIRE(lines);
    CHECK(lines->at(0).status == ProbeStatus::broken);
    CHECK(lines->at(0).detail.find("its size is 4") != std::string::npos);
}

TEST_CASE("a call that returns after its deadline is taken, and noted") {
    PluginBench bench;
    auto& plugin = loaded(bench, "overruns");
    CHECK(plugin.instances(std::chrono::steady_clock::now() + 20ms));
    CHECK(bench.logged("org.penstock.test.overruns: enumerate_instances returned"));
}

TEST_CASE("a SERIAL plugin is called by one thread at a time, and who waits has a deadline") {
    PluginBench bench;
    auto& plugin = loaded(bench, "overruns"); // takes 200 ms
    std::thread first{[&] { CHECK(plugin.instances(soon())); }};
    std::this_thread::sleep_for(50ms);
    const auto second = plugin.disks(some_key, std::chrono::steady_clock::now() + 20ms);
    first.join();
    REQUIRE(!second);
    CHECK(second.error().code() == ErrorCode::timeout);
    CHECK(says(second.error(), "waited for another call"));
}
