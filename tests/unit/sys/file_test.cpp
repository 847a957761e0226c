// SPDX-License-Identifier: Apache-2.0
#include "sys/file.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>

using namespace penstock;

TEST_CASE("a file is replaced whole, and no temporary file stays") {
    FakeTree tree;
    const auto path = tree.path("state.json");
    REQUIRE(replace_file(path, "one"));
    REQUIRE(replace_file(path, "two"));
    CHECK(*read_file(path) == "two");
    CHECK(::access((path + ".new").c_str(), F_OK) != 0);
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a replacement that cannot be written leaves the old file") {
    FakeTree tree;
    tree.file("state.json", "old");
    tree.directory("state.json.new"); // in the way of the temporary file
    const auto done = replace_file(tree.path("state.json"), "new");
    REQUIRE(!done);
    CHECK(done.error().text().find("state.json.new") != std::string::npos);
    CHECK(*read_file(tree.path("state.json")) == "old");
}

TEST_CASE("a FIFO in the place of a file does not hang the reader, nor the writer") {
    FakeTree tree;
    REQUIRE(::mkfifo(tree.path("fifo").c_str(), 0600) == 0);
    CHECK(*read_file(tree.path("fifo")) == "");
    CHECK(!write_at(AT_FDCWD, tree.path("fifo"), "x", "fifo"));
}

TEST_CASE("a control file is never reached through a symbolic link") {
    FakeTree tree;
    tree.file("target", "old");
    tree.link("io.max", "target");
    CHECK(!write_at(AT_FDCWD, tree.path("io.max"), "new", "io.max"));
    CHECK(*read_file(tree.path("target")) == "old");
}

TEST_CASE("reading what is not there is gone, with errno and path") {
    const auto missing = read_file("/nonexistent/x");
    REQUIRE(!missing);
    CHECK(missing.error().code() == ErrorCode::gone);
    CHECK(missing.error().text() == "opening /nonexistent/x: No such file or directory (ENOENT)");
}
