// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

Result<Limits> converted(const penstock_limits& record) {
    RecordText text;
    return from_record(&record, text);
}

penstock_limits with(std::uint64_t present) {
    penstock_limits record{};
    record.struct_size = sizeof record;
    record.present = present;
    return record;
}

} // namespace

TEST_CASE("limits survive the way to a plugin and back") {
    Limits limits;
    limits[Rate::read_bps] = 1;
    limits[Rate::total_iops] = 600;
    limits.burst(Rate::total_iops) = Burst{1200, 5};
    limits.io_size = 4096;
    limits.group = "gold";
    const auto record = to_record(limits);
    CHECK(record.struct_size == sizeof record);
    CHECK(record.present ==
          (PENSTOCK_LIMIT_RATE(PENSTOCK_READ_BPS) | PENSTOCK_LIMIT_RATE(PENSTOCK_TOTAL_IOPS) |
           PENSTOCK_LIMIT_BURST(PENSTOCK_TOTAL_IOPS) | PENSTOCK_LIMIT_IO_SIZE | PENSTOCK_LIMIT_GROUP));
    CHECK(record.rate[PENSTOCK_TOTAL_IOPS] == 600);
    CHECK(record.burst_seconds[PENSTOCK_TOTAL_IOPS] == 5);
    CHECK(*converted(record) == limits);
}

TEST_CASE("a field whose bit is not set is not there, whatever stands in it") {
    auto record = with(PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS));
    for (auto& rate : record.rate) rate = 7;
    for (auto& burst : record.burst) burst = 7;
    record.io_size = 7;
    record.group = {nullptr, 9, 0};
    Limits expected;
    expected[Rate::write_bps] = 7;
    CHECK(*converted(record) == expected);
    CHECK(converted(with(0))->empty());
}

TEST_CASE("a burst without seconds lasts one") {
    auto record = with(PENSTOCK_LIMIT_BURST(PENSTOCK_READ_BPS));
    record.burst[0] = 5;
    CHECK(converted(record)->burst(Rate::read_bps) == Burst{5, 1});
}

TEST_CASE("0 and what no signed number holds are no limits") {
    const auto value = GENERATE(std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0});
    auto record = with(PENSTOCK_LIMIT_RATE(PENSTOCK_READ_IOPS));
    record.rate[PENSTOCK_READ_IOPS] = value;
    CHECK(converted(record).error().text().find("read_iops of " + std::to_string(value)) != std::string::npos);
    record = with(PENSTOCK_LIMIT_BURST(PENSTOCK_READ_IOPS));
    record.burst[PENSTOCK_READ_IOPS] = value;
    CHECK(!converted(record));
    record = with(PENSTOCK_LIMIT_IO_SIZE);
    record.io_size = value;
    CHECK(!converted(record));
}

TEST_CASE("the mask of all fields is the contract's") {
    CHECK(to_mask(LimitFields::all()) == PENSTOCK_LIMIT_ALL);
    CHECK(to_mask({}) == 0);
    LimitFields fields;
    fields.rates[index(Rate::total_bps)] = true;
    fields.bursts[index(Rate::write_iops)] = true;
    CHECK(to_mask(fields) == (PENSTOCK_LIMIT_RATE(PENSTOCK_TOTAL_BPS) | PENSTOCK_LIMIT_BURST(PENSTOCK_WRITE_IOPS)));
}

TEST_CASE("support is for one field, with a range that is one") {
    penstock_limit_support record{sizeof record, PENSTOCK_SUPPORT_EMULATED, PENSTOCK_LIMIT_IO_SIZE, 1, 100, 0};
    RecordText text;
    const auto support = from_record(&record, text);
    REQUIRE(support);
    CHECK(support->support == Support::emulated);
    CHECK(support->granularity == 1); // 0 would be divided by
    record.support = 3;
    CHECK(from_record(&record, text)->support == Support::none);
    record.field = 3;
    CHECK(!from_record(&record, text));
    record.field = 0;
    CHECK(!from_record(&record, text));
    record.field = 1;
    record.minimum = 101;
    CHECK(!from_record(&record, text));
}

TEST_CASE("each bit of a record is one field of the model, and comes back as the same bit") {
    for (unsigned shift = 0; shift < 64; ++shift) {
        const auto bit = std::uint64_t{1} << shift;
        if ((PENSTOCK_LIMIT_ALL & bit) == 0) continue;
        CAPTURE(shift);
        auto record = with(bit);
        for (auto& rate : record.rate) rate = 5;
        for (auto& burst : record.burst) burst = 6;
        for (auto& seconds : record.burst_seconds) seconds = 7;
        record.io_size = 8;
        record.group = {"gold", 4, 0};
        const auto limits = converted(record);
        REQUIRE(limits);
        CHECK(!limits->empty());
        const auto back = to_record(*limits);
        CHECK(back.present == bit);
        CHECK(*converted(back) == *limits);
    }
}

TEST_CASE("a bit of a later contract is not read") { CHECK(converted(with(~PENSTOCK_LIMIT_ALL))->empty()); }
