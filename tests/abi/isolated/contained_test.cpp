// SPDX-License-Identifier: Apache-2.0
// Plugins that would take the host with them, were they in its process.
#include "catch.hpp"
#include "plugin_bench.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

using namespace penstock;
using namespace std::chrono_literals;

namespace {

Deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

Plugin& loaded(PluginBench& bench, const std::string& name) {
    const auto plugin = bench.load(name);
    INFO((plugin ? "" : plugin.error().text()));
    REQUIRE(plugin);
    return **plugin;
}

std::size_t open_descriptors() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
}

// Processes that this one has made and that still run.
std::string children() {
    std::string pids;
    for (const auto& task : std::filesystem::directory_iterator{"/proc/self/task"}) {
        const Fd file{::open((task.path() / "children").c_str(), O_RDONLY | O_CLOEXEC)};
        char text[4096];
        const auto n = ::read(file.get(), text, sizeof text);
        if (n > 0) pids.append(text, static_cast<std::size_t>(n));
    }
    return pids;
}

} // namespace

TEST_CASE("a plugin that aborts ends its own process; the next call finds a new one, and others notice nothing") {
    PluginBench bench;
    bench.install("beside", "beside");
    auto& plugin = loaded(bench, "aborts");
    const auto failed = plugin.disks(some_key, soon());
    REQUIRE(!failed);
    CHECK(failed.error().code() == ErrorCode::internal);
    CHECK(failed.error().text().find("ended while enumerate_disks: signal 6") != std::string::npos);
    CHECK(plugin.instances(soon())->items.size() == 1);
    const auto beside = bench.get("beside");
    REQUIRE(beside);
    CHECK((*beside)->disks({"beside", "id-1", "1-1"}, soon())->items.size() == 1);
}

TEST_CASE("a plugin that ends the process as if that were its own has ended only itself") {
    PluginBench bench;
    auto& plugin = loaded(bench, "exits");
    const auto failed = plugin.disks(some_key, soon());
    REQUIRE(!failed);
    CHECK(failed.error().text().find("ended while enumerate_disks: status 0") != std::string::npos);
    CHECK(plugin.instances(soon()));
}

TEST_CASE("a plugin that never comes back is ended at its deadline") {
    PluginBench bench;
    auto& plugin = loaded(bench, "hangs");
    const auto failed = plugin.disks(some_key, in(100ms));
    REQUIRE(!failed);
    CHECK(failed.error().code() == ErrorCode::timeout);
    CHECK(failed.error().text().find("did not answer by its deadline") != std::string::npos);
    CHECK(plugin.instances(soon()));
}

TEST_CASE("one that fails again and again is left alone for a while, and says so") {
    PluginBench bench;
    auto& plugin = loaded(bench, "aborts");
    CHECK(!plugin.disks(some_key, soon()));
    CHECK(plugin.disks(some_key, soon()).error().code() == ErrorCode::internal); // it was started again at once
    const auto waits = plugin.disks(some_key, soon());
    REQUIRE(!waits);
    CHECK(waits.error().code() == ErrorCode::busy);
    CHECK(waits.error().text().find("failed 2 times, the last time:") != std::string::npos);
    std::this_thread::sleep_for(1100ms);
    CHECK(plugin.disks(some_key, soon()).error().code() == ErrorCode::internal);
    CHECK(plugin.instances(soon()).error().text().find("failed 3 times") != std::string::npos);
    CHECK(bench.logged("left alone for 600 s"));
}

TEST_CASE("what a plugin prints is cut, logged, and never waited for") {
    PluginBench bench;
    auto& plugin = loaded(bench, "prints");
    CHECK(plugin.disks(some_key, soon())->items.size() == 1);
    CHECK(bench.logged("printed: line 0 of what nobody wants to read"));
    CHECK(!bench.logged("line 99999"));
    CHECK(plugin.disks(some_key, soon())->items.size() == 1); // it has closed both
}

TEST_CASE("a plugin that leaks has its leaks in its own process, and takes them along") {
    const auto before = open_descriptors();
    {
        PluginBench bench;
        auto& plugin = loaded(bench, "leaks");
        CHECK(plugin.instances(soon()));
        CHECK(open_descriptors() == before + 2); // the socket and the pipe
        CHECK(!children().empty());
    }
    CHECK(open_descriptors() == before);
    CHECK(children().empty());
}

TEST_CASE("without the program that holds plugins there is an error, and no plugin") {
    PluginBench bench;
    bench.install("plain");
    HostOptions options;
    options.isolation = [](std::string_view) { return Isolation::process; };
    options.plugin_host = "/nowhere/penstock-plugin-host";
    PluginSet plugins{{bench.tree.path()}, options};
    const auto plugin = plugins.get(plugins.entries().front());
    REQUIRE(!plugin);
    CHECK(plugin.error().text().find("it could not be started") != std::string::npos);
}
