// SPDX-License-Identifier: Apache-2.0
#include "qmp_reader.hpp"

#include "catch.hpp"

#include <chrono>

using namespace penstock::kvm;

TEST_CASE("messages come whole, in pieces and together") {
    const std::string stream = "{\"a\": 1}\r\n{\"b\": \"}{\\\"\"}\r\n\r\n{\n    \"c\": {\n    }\n}\n{\"d\":[]}";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        QmpReader reader;
        for (std::size_t at = 0; at < stream.size(); at += size)
            REQUIRE(reader.feed(std::string_view{stream}.substr(at, size)).ok());
        REQUIRE(reader.messages().size() == 4);
        CHECK(text_of(reader.messages()[1], "b") == "}{\"");
        CHECK(member(reader.messages()[3], "d") != nullptr);
    }
}

TEST_CASE("what is not QMP is refused") {
    const std::string text = GENERATE(as<std::string>{}, "x", "]", "{]", "{\"a\" 1}", "\xff\xfe{{{[[[\x80", "[1]",
                                      "\"x\" {}", "HTTP/1.1 200 OK\r\n");
    CAPTURE(text);
    CHECK(QmpReader{}.feed(text + " ").code() == PENSTOCK_E_MALFORMED);
}

TEST_CASE("a file name that is not UTF-8 is no reason to refuse") {
    CHECK(QmpReader{}.feed("{\"a\": \"\xff\xfe\"}").ok());
}

TEST_CASE("a message without an end is refused at 8 MiB, in linear time") {
    QmpReader reader;
    const std::string piece(64 * 1024, 'a');
    REQUIRE(reader.feed("{\"QMP\": \"").ok());
    const auto start = std::chrono::steady_clock::now();
    std::size_t fed = 0;
    while (reader.feed(piece).ok()) fed += piece.size();
    CHECK(fed <= qmp_message_cap);
    CHECK(fed + 2 * piece.size() > qmp_message_cap);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{5});
}

TEST_CASE("nesting is bounded, but deep enough for long backing chains") {
    const auto nested = [](int depth) {
        std::string text = "{\"image\":";
        for (int i = 0; i < depth; ++i) text += "{\"backing-image\":";
        return text + "0" + std::string(static_cast<std::size_t>(depth) + 1, '}');
    };
    CHECK(QmpReader{}.feed(nested(250)).ok());
    CHECK(QmpReader{}.feed(std::string(1 << 20, '[')).code() == PENSTOCK_E_MALFORMED);
    CHECK(QmpReader{}.feed(nested(100'000)).code() == PENSTOCK_E_MALFORMED);
}
