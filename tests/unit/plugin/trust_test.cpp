// SPDX-License-Identifier: Apache-2.0
#include "plugin/trust.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"
#include "trusted_tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>

using namespace penstock;

namespace {

bool says(const Error& error, const std::string& words) { return error.text().find(words) != std::string::npos; }

} // namespace

TEST_CASE("a file of ours in directories of ours is opened, and the descriptor is that file") {
    const TrustedTree tree;
    const auto path = tree.file("a/b/file", "text");
    const auto fd = open_trusted(path);
    REQUIRE(fd);
    struct stat by_fd {
    }, by_name{};
    REQUIRE(::fstat(fd->get(), &by_fd) == 0);
    REQUIRE(::stat(path.c_str(), &by_name) == 0);
    CHECK(by_fd.st_ino == by_name.st_ino);
    CHECK((::fcntl(fd->get(), F_GETFD) & FD_CLOEXEC) != 0);
}

TEST_CASE("what group or others can write is not trusted, neither file nor any directory above it") {
    const auto mode = GENERATE(0775U, 0757U, 01777U);
    const std::string place = GENERATE("a/b/file", "a/b", "a");
    CAPTURE(mode, place);
    const TrustedTree tree;
    const auto path = tree.file("a/b/file", "text");
    tree.mode("a", 0755);
    tree.mode(place, mode);
    const auto fd = open_trusted(path);
    REQUIRE(!fd);
    CHECK(fd.error().code() == ErrorCode::denied);
    CHECK(says(fd.error(), tree.path(place) + " cannot be trusted"));
    CHECK(!fd.error().next().empty());
}

TEST_CASE("/tmp is not trusted, its sticky bit notwithstanding") {
    const FakeTree tree; // below /tmp
    tree.file("file", "text");
    if (tree.path().rfind("/tmp/", 0) != 0) return;
    const auto fd = open_trusted(tree.path("file"));
    REQUIRE(!fd);
    CHECK(says(fd.error(), "/tmp cannot be trusted"));
}

TEST_CASE("what belongs to somebody else is not trusted, also where the caller is root") {
    if (::geteuid() != 0) return; // only root can give a file away
    const std::string place = GENERATE("a/file", "a");
    const TrustedTree tree;
    const auto path = tree.file("a/file", "text");
    REQUIRE(::chown(tree.path(place).c_str(), 12345, static_cast<gid_t>(-1)) == 0);
    const auto fd = open_trusted(path);
    REQUIRE(!fd);
    CHECK(says(fd.error(), tree.path(place) + " cannot be trusted: it belongs to uid 12345"));
    CHECK(open_trusted(path, TrustPolicy{12345}));
}

TEST_CASE("files of a plain user are trusted for that user, and for nobody with more rights") {
    if (::geteuid() == 0) return; // root's own are trusted by everybody
    const TrustedTree tree;
    const auto path = tree.file("a/file", "text");
    CHECK(open_trusted(path));
    for (const auto other : {uid_t{0}, ::geteuid() + 1}) {
        const auto fd = open_trusted(path, TrustPolicy{other});
        REQUIRE(!fd);
        CHECK(fd.error().code() == ErrorCode::denied);
        CHECK(says(fd.error(), "belongs to uid " + std::to_string(::geteuid())));
    }
}

TEST_CASE("the policy of the caller is the caller's own files") {
    CHECK(TrustPolicy::of_caller().owner == ::geteuid());
}

TEST_CASE("symbolic links are not followed, neither at the end nor on the way") {
    const TrustedTree tree;
    tree.file("real/file", "text");
    std::filesystem::create_symlink("file", tree.path("real/link"));
    std::filesystem::create_symlink("real", tree.path("way"));
    for (const auto* path : {"real/link", "way/file"}) {
        CAPTURE(path);
        const auto fd = open_trusted(tree.path(path));
        REQUIRE(!fd);
        CHECK(fd.error().code() == ErrorCode::denied);
        CHECK(says(fd.error(), "symbolic link"));
    }
}

TEST_CASE("only regular files are opened, and a FIFO does not hold us up") {
    const TrustedTree tree;
    tree.directory("directory");
    REQUIRE(::mkfifo(tree.path("fifo").c_str(), 0600) == 0);
    for (const auto* name : {"directory", "fifo"}) {
        const auto fd = open_trusted(tree.path(name));
        REQUIRE(!fd);
        CHECK(says(fd.error(), "not a regular file"));
    }
}

TEST_CASE("a path must be absolute, name a file and not climb") {
    const TrustedTree tree;
    tree.file("file", "text");
    CHECK(open_trusted("file").error().code() == ErrorCode::invalid);
    CHECK(open_trusted("a/file").error().code() == ErrorCode::invalid);
    CHECK(open_trusted("").error().code() == ErrorCode::invalid);
    CHECK(open_trusted(tree.path() + "/").error().code() == ErrorCode::invalid);
    CHECK(open_trusted(tree.path() + "/..").error().code() == ErrorCode::invalid);
    CHECK(open_trusted(tree.path() + "/x/../file").error().sys_errno() == ENOENT);
    CHECK(open_trusted(tree.path() + "/../file").error().code() == ErrorCode::invalid);
    CHECK(open_trusted(tree.path() + "//./file"));
}

TEST_CASE("a file that is not there says which, and that it is not there") {
    const TrustedTree tree;
    const auto fd = open_trusted(tree.path("a/file"));
    REQUIRE(!fd);
    CHECK(fd.error().sys_errno() == ENOENT);
    CHECK(says(fd.error(), tree.path("a")));
}
