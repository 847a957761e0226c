// SPDX-License-Identifier: Apache-2.0
#include "qmp_socket.hpp"
#include "support.hpp"

#include "catch.hpp"

#include <penstock/file.hpp>
#include <penstock/process.hpp>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>

using namespace penstock::kvm;
namespace sdk = penstock::sdk;

namespace {

sdk::Fd listen_at(const std::string& path, int backlog) {
    sdk::Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    REQUIRE(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(fd.get(), backlog) == 0);
    return fd;
}

struct World {
    sdk::Fd proc = sdk::open_directory(AT_FDCWD, "/proc");
    GuestPaths paths{proc.get(), ::getpid()};
    Guest guest_of(int pid) const {
        Guest guest;
        guest.process = *sdk::read_process_stat(proc.get(), pid);
        return guest;
    }
    penstock::sdk::Status connect(const Guest& guest, const std::string& path) {
        sdk::Fd out;
        return connect_qmp(proc.get(), guest, paths, path, out);
    }
};

} // namespace

TEST_CASE("the socket of the process itself, also at a path that sun_path could not hold") {
    World world;
    TemporaryDirectory directory;
    const auto deep = directory.path() + "/" + std::string(150, 'd');
    std::filesystem::create_directory(deep);
    const auto socket = listen_at(directory.path() + "/q", 4);
    std::filesystem::rename(directory.path() + "/q", deep + "/q");
    CHECK(world.connect(world.guest_of(::getpid()), deep + "/q").ok());
}

TEST_CASE("a socket that another process serves is not used, unless it started this one") {
    World world;
    TemporaryDirectory directory;
    const auto socket = listen_at(directory.path() + "/q", 4);
    CHECK(world.connect(world.guest_of(1), directory.path() + "/q").code() == PENSTOCK_E_DENIED);
    const auto child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    CHECK(world.connect(world.guest_of(child), directory.path() + "/q").ok());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST_CASE("a full backlog does not hold us up") {
    World world;
    TemporaryDirectory directory;
    const auto socket = listen_at(directory.path() + "/q", 0);
    const auto self = world.guest_of(::getpid());
    const auto start = std::chrono::steady_clock::now();
    sdk::Fd first, second, third;
    CHECK(connect_qmp(world.proc.get(), self, world.paths, directory.path() + "/q", first).ok());
    CHECK(connect_qmp(world.proc.get(), self, world.paths, directory.path() + "/q", second).code() == PENSTOCK_E_BUSY);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{1});
}

TEST_CASE("a path that is no socket, or none any more") {
    World world;
    TemporaryDirectory directory;
    directory.write("file", "x");
    { const auto closed = listen_at(directory.path() + "/closed", 1); }
    const auto self = world.guest_of(::getpid());
    for (const char* name : {"/none", "/file", "/closed"}) {
        const auto status = world.connect(self, directory.path() + name);
        CHECK(status.code() == PENSTOCK_E_UNSUPPORTED);
        CHECK(status.message().find(name) != std::string::npos);
    }
}
