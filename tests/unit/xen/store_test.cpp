// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include "catch.hpp"
#include "fake_tree.hpp"

#include <chrono>
#include <functional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <time.h>

using namespace penstock;
using namespace penstock::xen;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

std::uint64_t now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// A xenstored that does with its one client whatever a test wants.
class Server {
public:
    explicit Server(std::function<void(int client)> serve) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path().copy(address.sun_path, sizeof address.sun_path - 1);
        listener_ = sdk::Fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        REQUIRE(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
        REQUIRE(::listen(listener_.get(), 1) == 0);
        thread_ = std::thread{[this, serve] {
            const sdk::Fd client{::accept(listener_.get(), nullptr, nullptr)};
            if (client) serve(client.get());
        }};
    }
    ~Server() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        thread_.join();
    }
    std::string path() const { return tree_.path("socket"); }

private:
    FakeTree tree_;
    sdk::Fd listener_;
    std::thread thread_;
};

std::string answer(std::uint32_t type, std::uint32_t request, const std::string& payload) {
    std::string out;
    append_message(out, static_cast<MessageType>(type), request, payload);
    return out;
}
void say(int client, const std::string& text) { ::send(client, text.data(), text.size(), MSG_NOSIGNAL); }
void hear(int client) {
    char text[4096];
    [[maybe_unused]] const auto n = ::recv(client, text, sizeof text, 0);
}
void until_client_leaves(int client) {
    pollfd polled{client, POLLRDHUP, 0};
    ::poll(&polled, 1, 10'000);
}

struct Asked {
    sdk::Status status;
    std::vector<std::optional<std::string>> values;
    std::chrono::nanoseconds took{};
};
Asked read(Store& store, const std::vector<std::string>& paths, std::chrono::milliseconds time = 5s, int cancel = -1) {
    static penstock_host table{};
    table.monotonic_ns = [](void*) { return now(); };
    const auto start = now();
    const penstock_call raw{sizeof raw, cancel, start + static_cast<std::uint64_t>(time.count()) * 1'000'000, 1, 1};
    Asked out;
    out.status = store.read(paths, sdk::Call{&raw, sdk::Host{&table}}, out.values);
    out.took = std::chrono::nanoseconds{now() - start};
    return out;
}

} // namespace

TEST_CASE("answers that come in pieces, and nodes that are not there") {
    Server server{[](int client) {
        hear(client);
        const auto text = answer(2, 0, "d1") + answer(16, 1, "ENOENT\0"s) + answer(2, 2, "a\0b"s);
        for (const char c : text) say(client, std::string(1, c));
        until_client_leaves(client);
    }};
    Store store{server.path()};
    const auto asked = read(store, {"/a", "/b", "/c"});
    REQUIRE(asked.status.ok());
    CHECK(asked.values == std::vector<std::optional<std::string>>{"d1", std::nullopt, "a\0b"s});
    store.disconnect();
}

TEST_CASE("a xenstored that does not answer costs no more than the call may take") {
    Server server{until_client_leaves};
    Store store{server.path()};
    const auto asked = read(store, {"/a"}, 100ms);
    CHECK(asked.status.code() == PENSTOCK_E_TIMEOUT);
    CHECK(asked.took < 300ms);
}

TEST_CASE("a call that is given up ends") {
    Server server{until_client_leaves};
    Store store{server.path()};
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const sdk::Fd ours{pipe[0]}, theirs{pipe[1]};
    REQUIRE(::write(theirs.get(), "x", 1) == 1);
    CHECK(read(store, {"/a"}, 5s, ours.get()).took < 1s);
}

TEST_CASE("answers that break the protocol are an error, and end the connection") {
    for (const auto& text :
         {answer(2, 1, "of another question"), answer(1, 0, "of another kind"), answer(15, 0, "/x\0t\0"s),
          "\x02\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff"s, "HTTP/1.1 400 Bad Request\r\n\r\n"s, ""s}) {
        Server server{[&](int client) {
            hear(client);
            say(client, text);
            if (!text.empty()) until_client_leaves(client);
        }};
        Store store{server.path()};
        const auto asked = read(store, {"/a"});
        INFO(text);
        CHECK(asked.status.code() == PENSTOCK_E_MALFORMED);
        CHECK(asked.took < 1s);
    }
}

TEST_CASE("why xenstored cannot be reached") {
    const FakeTree tree;
    Store absent{tree.path("socket")};
    CHECK(read(absent, {"/a"}).status.code() == PENSTOCK_E_NOT_PRESENT);
    CHECK(read(absent, {"/a"}).status.message().find("not a Xen dom0") != std::string::npos);
    tree.file("socket", "");
    CHECK(read(absent, {"/a"}).status.message().find("start xenstored") != std::string::npos);
    Store long_path{"/" + std::string(200, 'x')};
    CHECK(read(long_path, {"/a"}).status.code() == PENSTOCK_E_MALFORMED);
}
