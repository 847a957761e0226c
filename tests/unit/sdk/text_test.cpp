// SPDX-License-Identifier: Apache-2.0
#include <penstock/text.hpp>

#include "catch.hpp"

#include <cstdint>

using namespace penstock::sdk;

TEST_CASE("a number is the whole text") {
    CHECK(number<int>("-12") == -12);
    CHECK(number<unsigned>("040", 8) == 32u);
    CHECK(number<std::uint64_t>("18446744073709551615") == UINT64_MAX);
    for (const char* text : {"", " 1", "1 ", "+1", "0x1", "-1", "18446744073709551616"}) {
        CAPTURE(text);
        CHECK(!number<std::uint64_t>(text));
    }
}

TEST_CASE("empty parts are parts") {
    using Parts = std::vector<std::string_view>;
    CHECK(split("a::b", ':') == Parts{"a", "", "b"});
    CHECK(split("", ':') == Parts{""});
    CHECK(split(":", ':') == Parts{"", ""});
}
