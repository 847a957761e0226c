// SPDX-License-Identifier: Apache-2.0
#include <penstock/file.hpp>

#include "catch.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace penstock::sdk;

namespace {

// A directory that ends with its test.
struct Place {
    char path[32] = "/tmp/penstock-unit-sdk-XXXXXX";
    Fd fd;

    Place() { fd = open_directory(AT_FDCWD, ::mkdtemp(path)); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { std::filesystem::remove_all(path); }

    std::string at(const char* name) const { return std::string{path} + "/" + name; }
    void write(const char* name, const std::string& text) const { std::ofstream{at(name), std::ios::binary} << text; }
};

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

} // namespace

TEST_CASE("a descriptor is closed once, by whoever has it last") {
    int number = -1;
    {
        Fd first = open_directory(AT_FDCWD, "/");
        number = first.get();
        Fd second{std::move(first)};
        CHECK(!first); // NOLINT(bugprone-use-after-move)
        CHECK(second.get() == number);
        CHECK(is_open(number));
    }
    CHECK(!is_open(number));
    Fd kept = open_directory(AT_FDCWD, "/");
    number = kept.release();
    CHECK(!kept);
    CHECK(is_open(number));
    ::close(number);
}

TEST_CASE("a file is read whole, or up to the cap") {
    const Place place;
    const std::string text(20'000, 'x');
    place.write("a", text);
    place.write("empty", "");
    const int here = place.fd.get();
    CHECK(read_file(here, "a", 1 << 20) == text);
    CHECK(read_file(here, "a", 5'000) == text.substr(0, 5'000));
    CHECK(read_file(here, "a", 1 << 20, {.one_piece = true}) == text);
    CHECK(read_file(here, "empty", 10) == "");
    CHECK(!read_file(here, "missing", 10));
    CHECK(!read_file(here, ".", 10));
}

TEST_CASE("a symbolic link is followed where that is asked for, and a FIFO holds nobody up") {
    const Place place;
    place.write("a", "text");
    std::filesystem::create_symlink("a", place.at("link"));
    const int here = place.fd.get();
    CHECK(!read_file(here, "link", 10));
    CHECK(read_file(here, "link", 10, {.follow = true}) == "text");
    CHECK(read_link(here, "link") == "a");
    CHECK(!read_link(here, "a"));
    REQUIRE(::mkfifo(place.at("fifo").c_str(), 0600) == 0);
    CHECK(read_file(here, "fifo", 10) == "");
}

TEST_CASE("the entries of a directory, until the caller has enough") {
    const Place place;
    place.write("a", "");
    std::filesystem::create_directory(place.at("b"));
    std::set<std::string> names;
    CHECK(for_each_entry(place.fd.get(), [&](const char* name, unsigned char) { return names.insert(name).second; }));
    CHECK(names == std::set<std::string>{"a", "b"});
    int calls = 0;
    CHECK(for_each_entry(place.fd.get(), [&](const char*, unsigned char) { return ++calls < 1; }));
    CHECK(calls == 1);
    CHECK(is_open(place.fd.get()));
    CHECK(!for_each_entry(-1, [](const char*, unsigned char) { return true; }));
}
