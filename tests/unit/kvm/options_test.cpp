// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

TEST_CASE("a doubled comma belongs to the value") {
    const auto options = Options::parse("guest=a,,b=c,,,debug-threads=on", "guest");
    CHECK(options.get("guest") == "a,b=c,");
    CHECK(options.on("debug-threads"));
}

TEST_CASE("the first word may leave its key out") {
    CHECK(Options::parse("web,,1", "guest").get("guest") == "web,1");
    const auto device = Options::parse("virtio-blk-pci,drive=d0,id=vda", "driver");
    CHECK(device.get("driver") == "virtio-blk-pci");
    CHECK(device.get("id") == "vda");
    CHECK(Options::parse("socket,server,nowait,id=x", "backend").on("server"));
}

TEST_CASE("the last of several equal keys counts") { CHECK(Options::parse("id=a,id=b").get("id") == "b"); }

TEST_CASE("members of JSON objects get QEMU's dotted names") {
    const auto options = Options::parse(
        R"({"driver":"raw","file":{"driver":"nbd","server":{"host":"h","port":"1"}},"read-only":true,"q":[{"iothread":"io1"}],"n":7})");
    CHECK(options.get("file.driver") == "nbd");
    CHECK(options.get("file.server.host") == "h");
    CHECK(options.on("read-only"));
    CHECK(options.get("q.0.iothread") == "io1");
    CHECK(options.get("n") == "7");
    CHECK(options.any_below("file."));
}

TEST_CASE("what is no option list does no harm") {
    for (const std::string text : {"", ",", ",,", ",,,", "=", "=,=", "a=", ",a", "{", "{}", "{\"a\":", "{]"}) {
        CAPTURE(text);
        CHECK_NOTHROW(Options::parse(text, "x"));
    }
    CHECK(Options::parse(std::string(100'000, '[') + "{", "x").items().size() == 1);
    CHECK(Options::parse("{\"a\":" + std::string(100'000, '[')).items().empty());
}
