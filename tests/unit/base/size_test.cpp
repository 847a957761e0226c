// SPDX-License-Identifier: Apache-2.0
#include "base/size.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("sizes are plain bytes, powers of 1000 or powers of 1024, with exact decimals") {
    const auto [text, bytes] =
        GENERATE(table<const char*, std::uint64_t>({{"1", 1},
                                                    {"20M", 20'000'000},
                                                    {"1k", 1'000},
                                                    {"3G", 3'000'000'000},
                                                    {"2T", 2'000'000'000'000},
                                                    {"1Ki", 1'024},
                                                    {"1.5Mi", 1'572'864},
                                                    {"0.5Gi", 536'870'912},
                                                    {"1Ti", 1'099'511'627'776},
                                                    {"0.001k", 1},
                                                    {"9223372036854775807", 9223372036854775807ULL}}));
    CAPTURE(text);
    const auto parsed = parse_size(text);
    REQUIRE(parsed);
    CHECK(*parsed == bytes);
}

TEST_CASE("what is not a size is refused with its column") {
    const auto [text, column] = GENERATE(table<const char*, const char*>({{"", "column 1"},
                                                                          {"M", "column 1"},
                                                                          {"-5", "column 1"},
                                                                          {"+5", "column 1"},
                                                                          {" 5", "column 1"},
                                                                          {"5 M", "column 2"},
                                                                          {"5MB", "column 2"},
                                                                          {"5m", "column 2"},
                                                                          {"5Kib", "column 2"},
                                                                          {"0x10", "column 2"},
                                                                          {"1e6", "column 2"},
                                                                          {"1.", "column 3"},
                                                                          {"1.M", "column 3"},
                                                                          {"1.5", "column 4"},
                                                                          {"1.0001k", "column 7"},
                                                                          {"9223372036854775808", "column 19"},
                                                                          {"10000000T", "column 9"},
                                                                          {"1,5M", "column 2"}}));
    CAPTURE(text);
    const auto parsed = parse_size(text);
    REQUIRE(!parsed);
    CHECK(parsed.error().code() == ErrorCode::invalid);
    CHECK(parsed.error().text().find(column) != std::string::npos);
    CHECK(!parsed.error().next().empty());
}

TEST_CASE("zero is refused with the way to remove a limit") {
    const auto parsed = parse_size("0");
    REQUIRE(!parsed);
    CHECK(parsed.error().next().find("clear") != std::string::npos);
}

TEST_CASE("counts have no binary units") {
    CHECK(*parse_count("1.5k") == 1500);
    CHECK(*parse_count("500") == 500);
    CHECK(!parse_count("1Ki"));
    CHECK(!parse_count("1G"));
}

TEST_CASE("a size is written in its shortest exact form") {
    CHECK(format_size(20'000'000) == "20M");
    CHECK(format_size(1'048'576) == "1Mi");
    CHECK(format_size(1'234'567) == "1234567");
    CHECK(format_size(1'500'000) == "1500k");
    CHECK(format_size(0) == "0");
}

TEST_CASE("a rounded value has three significant digits") {
    CHECK(format_rounded(1'234'567) == "1.23M");
    CHECK(format_rounded(19'960'000) == "20.0M");
    CHECK(format_rounded(500) == "500");
    CHECK(format_rounded(0) == "0");
}
