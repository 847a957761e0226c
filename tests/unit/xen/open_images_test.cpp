// SPDX-License-Identifier: Apache-2.0
#include "open_images.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

#include <penstock/file.hpp>

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <unistd.h>

using namespace penstock;

namespace {

std::optional<xen::OpenImage> find(const std::vector<xen::OpenImage>& images, const std::string& path) {
    const auto found = std::find_if(images.begin(), images.end(), [&](const auto& i) { return i.path == path; });
    return found == images.end() ? std::nullopt : std::optional{*found};
}

} // namespace

TEST_CASE("how this very process has its files open") {
    const FakeTree tree;
    tree.file("reads", "x");
    tree.file("writes", "x");
    const sdk::Fd reads{::open(tree.path("reads").c_str(), O_RDONLY)};
    const sdk::Fd writes{::open(tree.path("writes").c_str(), O_RDWR)};
    const auto proc = sdk::open_directory(AT_FDCWD, "/proc");
    const auto images = xen::open_images(proc.get(), ::getpid());
    const auto read = find(images, tree.path("reads")), written = find(images, tree.path("writes"));
    REQUIRE((read && written));
    CHECK(!read->writable);
    CHECK(written->writable);
    CHECK(!written->direct);
    CHECK(!written->block_device);
    CHECK(!find(images, "/dev/null")); // neither a file nor a block device
}

TEST_CASE("a descriptor that goes past the page cache is told from one that does not") {
    const FakeTree tree; // not every file system of a build host can do O_DIRECT
    tree.file("image", "x");
    const auto flags = [](int value) {
        std::ostringstream text;
        text << "pos:\t0\nflags:\t0" << std::oct << value << "\nmnt_id:\t28\n";
        return text.str();
    };
    tree.link("7/fd/3", tree.path("image"));
    tree.file("7/fdinfo/3", flags(O_RDWR | O_DIRECT));
    const auto proc = sdk::open_directory(AT_FDCWD, tree.path().c_str());
    auto images = xen::open_images(proc.get(), 7);
    REQUIRE(images.size() == 1);
    CHECK(images[0].direct);
    CHECK(images[0].writable);
    tree.file("7/fdinfo/3", flags(O_RDONLY));
    images = xen::open_images(proc.get(), 7);
    CHECK(!images[0].direct);
    CHECK(!images[0].writable);
}

TEST_CASE("a process that has ended has no images") {
    const FakeTree tree;
    const auto proc = sdk::open_directory(AT_FDCWD, tree.path().c_str());
    CHECK(xen::open_images(proc.get(), 4711).empty());
}
