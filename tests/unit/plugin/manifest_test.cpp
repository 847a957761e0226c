// SPDX-License-Identifier: Apache-2.0
#include "plugin/manifest.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

const std::string whole = R"(id = "org.penstock.kvm"
name = "KVM/QEMU"
version = "0.1.0"
kinds = ["kvm", "qemu-tcg"]
abi = { major = 1, min_minor = 2 }
needs = ["root", "network"]
)";

std::string without(std::string text, const std::string& line_begin) {
    const auto begin = text.find(line_begin);
    return text.erase(begin, text.find('\n', begin) + 1 - begin);
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}
std::string refusal(const std::string& text) {
    const auto manifest = parse_manifest(text, "/plugins/x.penstock.toml");
    REQUIRE(!manifest);
    CHECK(manifest.error().code() == ErrorCode::invalid);
    return manifest.error().text();
}

} // namespace

TEST_CASE("a manifest holds what can be known without running the plugin") {
    const auto manifest = parse_manifest(whole, "x");
    REQUIRE(manifest);
    CHECK(manifest->id == "org.penstock.kvm");
    CHECK(manifest->name == "KVM/QEMU");
    CHECK(manifest->version == "0.1.0");
    CHECK(manifest->kinds == std::vector<std::string>{"kvm", "qemu-tcg"});
    CHECK(manifest->abi_major == 1);
    CHECK(manifest->abi_min_minor == 2);
    CHECK(manifest->needs == std::vector<std::string>{"root", "network"});
}

TEST_CASE("each key is needed, and its absence is named") {
    for (const auto* key : {"id", "name", "version", "kinds", "abi", "needs"}) {
        CAPTURE(key);
        CHECK(refusal(without(whole, std::string{key} + " =")).find(std::string{"'"}.append(key).append("'")) !=
              std::string::npos);
    }
    CHECK(refusal(replaced(whole, "major = 1, ", "")).find("'major'") != std::string::npos);
}

TEST_CASE("an unknown key is refused with file, line, column and what was meant") {
    CHECK(refusal(whole + "verison = \"1\"\n") ==
          "/plugins/x.penstock.toml:7:1: unknown key 'verison', did you mean 'version'?");
    CHECK(refusal(replaced(whole, "min_minor", "min_minro")).find(":5:") != std::string::npos);
}

TEST_CASE("a wrong type or a value that cannot be is refused at its line") {
    const auto [from, to, where] = GENERATE(table<std::string, std::string, std::string>(
        {{"\"KVM/QEMU\"", "5", ":2:"},
         {"\"KVM/QEMU\"", "\"\"", ":2:"},
         {"\"KVM/QEMU\"", R"("a\u001b[31m")", ":2:"},
         {"\"org.penstock.kvm\"", "\"kvm\"", ":1:"},
         {"\"org.penstock.kvm\"", "\"org..kvm\"", ":1:"},
         {"\"org.penstock.kvm\"", "\"../../etc/x\"", ":1:"},
         {"\"0.1.0\"", std::string{"\""}.append(257, '1').append("\""), ":3:"},
         {"\"kvm\"", "\"KVM\"", ":4:"},
         {"\"kvm\"", "\"a/b\"", ":4:"},
         {"\"kvm\"", "5", ":4:"},
         {"[\"kvm\", \"qemu-tcg\"]", "[]", ":4:"},
         {"[\"kvm\", \"qemu-tcg\"]", "\"kvm\"", ":4:"},
         {"major = 1", "major = -1", ":5:"},
         {"major = 1", "major = 1.0", ":5:"},
         {"major = 1", "major = 99999999999", ":5:"},
         {"{ major = 1, min_minor = 2 }", "1", ":5:"},
         {"\"root\"", "\"rooot\"", ":6:"}}));
    CAPTURE(from, to);
    const auto text = refusal(replaced(whole, from, to));
    CAPTURE(text);
    CHECK(text.find("/plugins/x.penstock.toml" + where) == 0);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("what is not TOML is refused with its place, and never reaches a terminal raw") {
    CHECK(refusal("id = ").find("x.penstock.toml:1:") != std::string::npos);
    CHECK(refusal(whole + "\x1b[31m = 1\n").find('\x1b') == std::string::npos);
    CHECK(refusal(std::string{"id = \"\xff\""}).find('\xff') == std::string::npos);
    CHECK(parse_manifest("x", "/a\x1b[1m").error().text().find('\x1b') == std::string::npos);
    refusal("");
    refusal(whole + "id = \"org.penstock.other\"\n"); // twice
}
