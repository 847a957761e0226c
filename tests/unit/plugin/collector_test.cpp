// SPDX-License-Identifier: Apache-2.0
#include "plugin/collector.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

penstock_str text(std::string_view s) { return {s.data(), static_cast<std::uint32_t>(s.size()), 0}; }

penstock_disk a_disk(std::string_view target, std::string_view native_id = "") {
    penstock_disk record{};
    record.struct_size = sizeof record;
    record.target = text(target);
    record.native_id = text(native_id);
    return record;
}

penstock_actor an_actor(std::string_view name) {
    penstock_actor record{};
    record.struct_size = sizeof record;
    record.pid = record.tid = 1;
    record.name = text(name);
    return record;
}

} // namespace

TEST_CASE("a bad record does not hide the others, and is told") {
    Collector<Disk, penstock_disk> collector;
    const auto good = a_disk("vda"), bad = a_disk(""), other = a_disk("vdb");
    for (const auto* record : {&bad, &good, &bad, &other}) CHECK(collector.take(record) == 0);
    const auto listing = std::move(collector).finish();
    REQUIRE(listing.items.size() == 2);
    CHECK(listing.items[0].target == "vda");
    REQUIRE(listing.incomplete);
    CHECK(listing.incomplete->code() == ErrorCode::malformed);
    CHECK(listing.incomplete->text().find("2 records were left out") == 0);
}

TEST_CASE("of two of one name the first stays, and both are named") {
    Collector<Disk, penstock_disk> collector;
    const auto first = a_disk("vda", "disk0"), second = a_disk("vda", "disk1");
    collector.take(&first);
    collector.take(&second);
    const auto listing = std::move(collector).finish();
    REQUIRE(listing.items.size() == 1);
    CHECK(listing.items[0].native_id == "disk0");
    REQUIRE(listing.incomplete);
    CHECK(listing.incomplete->text() == "the plugin reported 'vda' twice: disk 'disk0' and disk 'disk1'");
}

TEST_CASE("more than 100000 records are not taken, good or bad") {
    const bool good = GENERATE(true, false);
    Collector<Actor, penstock_actor> collector;
    auto record = an_actor("x");
    if (!good) record.pid = -1;
    for (int i = 0; i < 100'000; ++i)
        if (collector.take(&record) != 0) FAIL("stopped after " << i);
    CHECK(!collector.stopped());
    CHECK(collector.take(&record) != 0);
    CHECK(collector.take(&record) != 0);
    CHECK(collector.stopped());
    const auto listing = std::move(collector).finish();
    CHECK(listing.items.size() == (good ? 100'000 : 0));
    CHECK(listing.incomplete->code() == ErrorCode::partial);
}

TEST_CASE("the strings of one listing are capped together") {
    const std::string large(65536, 'x');
    const auto record = an_actor(large);
    Collector<Actor, penstock_actor> collector;
    int taken = 0;
    while (taken < 2000 && collector.take(&record) == 0) ++taken;
    CHECK(taken == 1024); // 64 MiB
    CHECK(std::move(collector).finish().incomplete->code() == ErrorCode::partial);
}
