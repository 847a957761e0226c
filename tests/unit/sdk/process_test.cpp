// SPDX-License-Identifier: Apache-2.0
#include <penstock/process.hpp>

#include "catch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

using namespace penstock::sdk;

namespace {

// A captured file of tests/data/sdk.
std::string captured(const std::string& name) {
    std::ifstream file{PENSTOCK_TEST_DATA "/sdk/" + name, std::ios::binary};
    if (!file) throw std::runtime_error{"no test data " + name};
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("the stat of a container's init") {
    const auto stat = parse_process_stat(captured("init.stat"));
    REQUIRE(stat);
    CHECK(stat->pid == 16183);
    CHECK(stat->comm == "init");
    CHECK(stat->state == 'S');
    CHECK(stat->parent == 16182);
    CHECK(stat->start == 300257);
    CHECK(!stat->forked_only);
}

TEST_CASE("the stat of a QEMU") { CHECK(parse_process_stat(captured("qemu.stat"))->comm == "qemu-system-x86"); }

TEST_CASE("a process cannot hide behind its name") {
    const auto stat = parse_process_stat("42 (a) R 1 (b) S 7 1 1 0 -1 4194368 0 0 0 0 0 0 0 0 20 0 1 0 99 0");
    REQUIRE(stat);
    CHECK(stat->comm == "a) R 1 (b");
    CHECK(stat->parent == 7);
    CHECK(stat->start == 99);
    CHECK(stat->forked_only);
}

TEST_CASE("a process may put anything into its name") {
    const auto stat = parse_process_stat("42 (a) R 1 (b) S 7 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 8834512 0 0\n");
    REQUIRE(stat);
    CHECK(stat->comm == "a) R 1 (b");
    CHECK(stat->parent == 7);
    CHECK(stat->start == 8834512);
    CHECK(!stat->forked_only);
}

TEST_CASE("a kernel thread is told by the kernel's flag, not by its name") {
    // 0x208040 and 0x400040, as Linux 6.1 shows them of a thread of blkback and of a program.
    CHECK(parse_process_stat("627 (1.xvda-0) S 2 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 99 0")->kernel_thread);
    CHECK(!parse_process_stat("628 (1.xvda-0) S 2 0 0 0 -1 4194368 0 0 0 0 0 0 0 0 20 0 1 0 99 0")->kernel_thread);
}

TEST_CASE("what is no stat is refused") {
    for (const char* text : {"", "42", "42 (a", "42 )a(", "(a) S 1", "42 (a)", "42 (a) S 1 2 3",
                             "x (a) S 7 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 99 0", "1", "1 (", "1 (x", "1 (x)",
                             "1 (x) ", "(x) S 1", "x (x) S 1 2 3", "1 )x( S"}) {
        CAPTURE(text);
        CHECK(!parse_process_stat(text));
    }
}

TEST_CASE("the kernel's own word about this process, read in each way") {
    const Fd proc{::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    const auto stat = read_process_stat(proc.get(), ::getpid());
    REQUIRE(stat);
    CHECK(stat->pid == ::getpid());
    CHECK(stat->parent == ::getppid());
    CHECK(!stat->ended());
    const Fd self = open_directory(proc.get(), "self");
    const auto same = read_process_stat(self.get(), "stat");
    REQUIRE(same);
    CHECK(same->start == stat->start);
    CHECK(!read_process_stat(proc.get(), 0));
}

TEST_CASE("an incarnation is a pid and a start time") {
    CHECK(parse_incarnation("4711-8834512")->pid == 4711);
    CHECK(parse_incarnation("4711-8834512")->start == 8834512);
    CHECK(parse_incarnation("4711-8834512")->text() == "4711-8834512");
    for (const char* wrong :
         {"", "-", "1", "1-", "-1", "0-1", "0-5", "-4-1", "-3-5", "1-x", "1-2-3", "a-b", " 1-2", "99999999999-1"}) {
        CAPTURE(wrong);
        CHECK(!parse_incarnation(wrong));
    }
}
