// SPDX-License-Identifier: Apache-2.0
#include "store_message.hpp"

#include "catch.hpp"

using namespace penstock::xen;
using namespace std::string_literals;

TEST_CASE("a question is a header of four numbers and its arguments") {
    std::string out;
    append_message(out, MessageType::read, 7, "/local/domain/1/name\0"s);
    // xs_wire.h: struct xsd_sockmsg {type, req_id, tx_id, len}, in the host's byte order; XS_READ is 2
    CHECK(out == "\x02\0\0\0\x07\0\0\0\0\0\0\0\x15\0\0\0/local/domain/1/name\0"s);
}

TEST_CASE("answers are taken one after the other, and only whole") {
    const auto in = "\x02\0\0\0\x07\0\0\0\0\0\0\0\x02\0\0\0d1\x10\0\0\0\x08\0\0\0\0\0\0\0\x07\0\0\0ENOENT\0\x02"s;
    std::size_t at = 0;
    bool malformed = false;
    const auto first = take_message(in, at, malformed);
    REQUIRE(first);
    CHECK(first->request == 7);
    CHECK(first->payload == "d1");
    CHECK(!first->is_error());
    const auto second = take_message(in, at, malformed);
    REQUIRE(second);
    CHECK(second->is_error());
    CHECK(second->error() == "ENOENT");
    CHECK(!take_message(in, at, malformed));
    CHECK(!malformed);
    for (std::size_t size = 0; size < 18; ++size) {
        at = 0;
        CHECK(!take_message(std::string_view{in}.substr(0, size), at, malformed));
        CHECK(at == 0);
    }
}

TEST_CASE("a payload above the protocol's 4096 bytes is not waited for") {
    std::size_t at = 0;
    bool malformed = false;
    CHECK(!take_message("\x02\0\0\0\0\0\0\0\0\0\0\0\x01\x10\0\0"s, at, malformed));
    CHECK(malformed);
}

TEST_CASE("names of a listing end with NUL") {
    CHECK(names_in("0\0"
                   "17\0"s) == std::vector<std::string>{"0", "17"});
    CHECK(names_in("").empty());
    CHECK(names_in("\0\0"s).empty());
}
