// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "plugin_bench.hpp"

#include <unistd.h>

using namespace penstock;

TEST_CASE("a plugin that breaks the contract at its start is refused with the reason, and the one beside it works") {
    const auto [name, code, words] = GENERATE(table<std::string, ErrorCode, std::string>(
        {{"no_entry", ErrorCode::malformed, "it does not export penstock_plugin_entry_v1"},
         {"bad_magic", ErrorCode::malformed, "the entry's magic is 0x46454544"},
         {"future_major", ErrorCode::unsupported, "built for plugin contract 2, this penstock has 1"},
         {"size_zero", ErrorCode::malformed, "the entry's size is 0"},
         {"size_small", ErrorCode::malformed, "the entry's size is 64"},
         {"size_huge", ErrorCode::malformed, "the entry's size is 65537"},
         {"null_describe", ErrorCode::malformed, "function describe of the entry is NULL"},
         {"no_description", ErrorCode::malformed, "does not describe itself"},
         {"null_probe", ErrorCode::malformed, "does not offer all of penstock.core/1"},
         {"no_core", ErrorCode::malformed, "does not offer all of penstock.core/1"},
         {"null_native", ErrorCode::malformed, "does not offer all of penstock.native-limit/1"},
         {"create_fails", ErrorCode::denied, "opening /dev/test\\x1b[31m: Permission denied (EACCES)"},
         {"wrong_id", ErrorCode::conflict,
          "'org.penstock.somebody-else', its manifest says 'org.penstock.test.wrong-id'"},
         {"wrong_kind", ErrorCode::conflict, "kinds are 'another', its manifest says 'test'"},
         {"undefined_symbol", ErrorCode::system, "undefined symbol: penstock_test_symbol_that_nobody_has"},
         {"missing_library", ErrorCode::system, "libpenstock-test-absent.so: cannot open shared object file"}}));
    CAPTURE(name);
    PluginBench bench;
    bench.install(name);
    bench.install("beside", "beside");
    const auto plugin = bench.get(name);
    REQUIRE(!plugin);
    CHECK(plugin.error().code() == code);
    CHECK(plugin.error().text().find(words) != std::string::npos);
    CHECK(plugin.error().text().find(bench.tree.path(name + ".so")) != std::string::npos);
    CHECK(plugin.error().text().find("/proc/self/fd") == std::string::npos);
    CHECK(bench.plugins().find("test") == nullptr);
    CHECK(bench.get(name).error().text() == plugin.error().text()); // remembered

    auto* good = bench.plugins().find("beside");
    REQUIRE(good != nullptr);
    CHECK(good->instances(soon())->items.at(0).key.kind == "beside");
}

TEST_CASE("what is no library at all is refused") {
    PluginBench bench;
    bench.tree.plugin("text", "org.penstock.test.text");
    const auto plugin = bench.get("text");
    REQUIRE(!plugin);
    CHECK(plugin.error().text().find("loading " + bench.tree.path("text.so") + ": ") == 0);
    CHECK(plugin.error().text().find("file too short") != std::string::npos);
}

TEST_CASE("a library is checked again when it is loaded") {
    PluginBench bench;
    bench.install("plain");
    bench.plugins();
    SECTION("writable meanwhile") {
        bench.tree.mode("plain.so", 0777);
        CHECK(bench.get("plain").error().text().find("cannot be trusted") != std::string::npos);
    }
    SECTION("given away meanwhile") {
        if (::geteuid() != 0) return;
        REQUIRE(::chown(bench.tree.path("plain.so").c_str(), 12345, static_cast<gid_t>(-1)) == 0);
        CHECK(bench.get("plain").error().text().find("belongs to uid 12345") != std::string::npos);
    }
    SECTION("a link meanwhile") {
        std::filesystem::rename(bench.tree.path("plain.so"), bench.tree.path("real.so"));
        std::filesystem::create_symlink("real.so", bench.tree.path("plain.so"));
        CHECK(bench.get("plain").error().text().find("symbolic link") != std::string::npos);
    }
}

TEST_CASE("listing runs no code of a plugin") {
    PluginBench bench;
    bench.install("create_fails");
    CHECK(bench.plugins().entries().size() == 1);
    CHECK(!bench.plugins().entries()[0].refused);
}

TEST_CASE("several plugins live beside each other, each loaded from its own file") {
    PluginBench bench;
    bench.install("plain");
    bench.install("modern");
    // Both are of kind "test", which a set would refuse.
    PluginEntry plain{{PluginBench::id("plain"), "Test", "1.0", {"test"}, 1, 0, {}}, bench.tree.path("plain.so"), {}};
    PluginEntry modern{
        {PluginBench::id("modern"), "Test", "1.0", {"test"}, 1, 0, {}}, bench.tree.path("modern.so"), {}};
    const auto first = Plugin::load(plain, {}), second = Plugin::load(modern, {});
    REQUIRE(first);
    REQUIRE(second);
    CHECK((*first)->has_native_limit());
    CHECK(!(*second)->has_native_limit());
}
