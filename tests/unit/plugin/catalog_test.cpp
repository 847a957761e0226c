// SPDX-License-Identifier: Apache-2.0
#include "plugin/catalog.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "trusted_tree.hpp"

#include <algorithm>

using namespace penstock;

namespace {

bool says(const PluginEntry& entry, const std::string& words) {
    INFO((entry.refused ? entry.refused->text() : "not refused"));
    return entry.refused && entry.refused->text().find(words) != std::string::npos;
}

} // namespace

TEST_CASE("each manifest with a library beside it is a plugin, in order of the names") {
    const TrustedTree tree;
    tree.plugin("b", "org.example.b", "b");
    tree.plugin("a", "org.example.a", "a");
    tree.file("readme.toml", "");
    tree.file(".penstock.toml", "");
    const auto found = find_plugins({tree.path(), tree.path("not-there")});
    REQUIRE(found.size() == 2);
    CHECK(found[0].manifest.id == "org.example.a");
    CHECK(found[0].library == tree.path("a.so"));
    CHECK(!found[0].refused);
    CHECK(found[1].manifest.id == "org.example.b");
}

TEST_CASE("a bad manifest refuses its own plugin only") {
    const TrustedTree tree;
    tree.plugin("good", "org.example.good", "good");
    tree.file("bad.penstock.toml", "id = 5\n");
    tree.file("bad.so", "");
    const auto found = find_plugins({tree.path()});
    REQUIRE(found.size() == 2);
    CHECK(says(found[0], "bad.penstock.toml:1:"));
    CHECK(found[0].manifest.id == "bad");
    CHECK(!found[1].refused);
}

TEST_CASE("a manifest that is too large is not read") {
    const TrustedTree tree;
    tree.file("big.penstock.toml", std::string(65537, '#'));
    tree.file("big.so", "");
    CHECK(says(find_plugins({tree.path()}).at(0), "larger than 64 KiB"));
}

TEST_CASE("a manifest without its library is named") {
    const TrustedTree tree;
    tree.manifest("lonely", "org.example.lonely");
    CHECK(says(find_plugins({tree.path()}).at(0), "lonely.penstock.toml has no library lonely.so beside it"));
}

TEST_CASE("a library or manifest that others can write, or that is a symbolic link, is refused") {
    const TrustedTree tree;
    const std::string file = GENERATE("x.so", "x.penstock.toml");
    CAPTURE(file);
    tree.plugin("x", "org.example.x");
    SECTION("writable") {
        tree.mode(file, 0666);
        CHECK(says(find_plugins({tree.path()}).at(0), tree.path(file) + " cannot be trusted"));
    }
    SECTION("a link") {
        std::filesystem::rename(tree.path(file), tree.path("elsewhere"));
        std::filesystem::create_symlink("elsewhere", tree.path(file));
        CHECK(says(find_plugins({tree.path()}).at(0), "symbolic link"));
    }
}

TEST_CASE("what lies in a directory that is not trusted is listed, and refused") {
    const FakeTree tree; // below /tmp
    tree.file("x.penstock.toml", "");
    const auto found = find_plugins({tree.path()});
    REQUIRE(found.size() == 1);
    CHECK(found[0].manifest.id == "x");
    CHECK(says(found[0], "cannot be trusted"));
}

TEST_CASE("a directory that cannot be looked into is an entry of its own") {
    const TrustedTree tree;
    tree.file("file", "");
    const auto found = find_plugins({tree.path("file")});
    REQUIRE(found.size() == 1);
    CHECK(says(found[0], "looking for plugins in " + tree.path("file")));
}

TEST_CASE("a plugin for another contract is refused, with both versions") {
    const auto abi =
        GENERATE("{ major = 2, min_minor = 0 }", "{ major = 1, min_minor = 7 }", "{ major = 0, min_minor = 0 }");
    const TrustedTree tree;
    tree.plugin("x", "org.example.x");
    tree.manifest("x", "org.example.x", "test", abi);
    const auto entry = find_plugins({tree.path()}).at(0);
    CHECK(says(entry, "this penstock has 1.0"));
    CHECK(entry.refused->code() == ErrorCode::unsupported);
}

TEST_CASE("two of one id, or of one kind, are both refused, and each names the other") {
    const TrustedTree tree;
    tree.directory("1");
    tree.directory("2");
    tree.plugin("1/a", "org.example.same", "a");
    SECTION("one id") {
        tree.plugin("2/b", "org.example.same", "b");
        const auto found = find_plugins({tree.path("1"), tree.path("2")});
        REQUIRE(found.size() == 2);
        for (const auto& entry : found) {
            CHECK(says(entry, tree.path("1/a.so")));
            CHECK(says(entry, tree.path("2/b.so")));
            CHECK(says(entry, "id org.example.same"));
        }
    }
    SECTION("one kind") {
        tree.plugin("2/b", "org.example.other", "a");
        const auto found = find_plugins({tree.path("1"), tree.path("2")});
        CHECK(says(found.at(0), "kind a"));
        CHECK(says(found.at(1), "kind a"));
    }
}

TEST_CASE("a plugin that is refused anyhow does not take a good one with it") {
    const TrustedTree tree;
    tree.plugin("a", "org.example.same", "a");
    tree.plugin("b", "org.example.same", "a");
    tree.mode("b.so", 0666);
    const auto found = find_plugins({tree.path()});
    REQUIRE(found.size() == 2);
    CHECK(!found[0].refused);
    CHECK(says(found[1], "cannot be trusted"));
}

TEST_CASE("a directory that is named twice is searched once") {
    const TrustedTree tree;
    tree.plugin("a", "org.example.a");
    const auto found = find_plugins({tree.path(), tree.path() + "/", tree.path()});
    REQUIRE(found.size() == 1);
    CHECK(!found[0].refused);
}

TEST_CASE("a directory that is also reached by a path that is not trusted is still searched by its own") {
    const TrustedTree tree;
    tree.directory("real");
    tree.plugin("real/a", "org.example.a");
    std::filesystem::create_directory_symlink("real", tree.path("link"));
    const auto found = find_plugins({tree.path("link"), tree.path("real")});
    REQUIRE(found.size() == 2);
    CHECK(says(found[0], "symbolic link"));
    CHECK(found[1].library == tree.path("real/a.so"));
    CHECK(!found[1].refused);
}
