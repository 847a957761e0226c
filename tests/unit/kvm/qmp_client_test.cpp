// SPDX-License-Identifier: Apache-2.0
#include "qmp_client.hpp"

#include "catch.hpp"

#include <penstock/file.hpp>

#include <sys/socket.h>

#include <atomic>
#include <functional>
#include <thread>

using namespace penstock::kvm;
namespace sdk = penstock::sdk;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::string_view greeting = "{\"QMP\": {\"version\": {}, \"capabilities\": []}}\r\n";

// FAKE: the other end of a QMP socket, which does what a test wants.
class FakePeer {
public:
    explicit FakePeer(std::function<void(FakePeer&)> behaviour) {
        int ends[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        ours_ = sdk::Fd{ends[0]};
        client_ = sdk::Fd{ends[1]};
        thread_ = std::thread{[this, behaviour = std::move(behaviour)] { behaviour(*this); }};
    }
    ~FakePeer() {
        ended_ = true;
        ::shutdown(ours_.get(), SHUT_RDWR);
        thread_.join();
    }

    QmpClient client() { return QmpClient{std::move(client_), "/fake"}; }
    bool say(std::string_view text) {
        while (!text.empty()) {
            const auto n = ::send(ours_.get(), text.data(), text.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    // The next command, as text.
    std::string hear() {
        while (heard_.find('\n') == std::string::npos) {
            char buffer[4096];
            const auto n = ::recv(ours_.get(), buffer, sizeof buffer, 0);
            if (n <= 0) return {};
            heard_.append(buffer, static_cast<std::size_t>(n));
        }
        auto line = heard_.substr(0, heard_.find('\n'));
        heard_.erase(0, line.size() + 1);
        return line;
    }
    void answer(std::string_view result) {
        const auto command = parse_json(hear());
        if (command)
            say("{\"return\": " + std::string{result} + ", \"id\": \"" + std::string{text_of(*command, "id")} +
                "\"}\r\n");
    }
    void close() { ::shutdown(ours_.get(), SHUT_RDWR); }
    void hang() {
        while (!ended_) std::this_thread::sleep_for(5ms);
    }

private:
    sdk::Fd ours_, client_;
    std::string heard_;
    std::atomic<bool> ended_{false};
    std::thread thread_;
};

Deadline in(std::chrono::milliseconds time) { return Deadline{Clock::now() + time}; }

} // namespace

TEST_CASE("events, split and merged messages do not disturb an answer") {
    FakePeer peer{[](FakePeer& p) {
        for (const char c : greeting.substr(0, 20)) p.say({&c, 1});
        p.say(std::string{greeting.substr(20)} + "{\"event\": \"STOP\"}\r\n{\"eve");
        p.say("nt\": \"RESUME\"}\r\n");
        p.answer("{}");
        p.say("{\"event\": \"A\"}\r\n{\"event\": \"B\"}\r\n");
        p.answer("[1, 2]");
        p.hang();
    }};
    auto client = peer.client();
    REQUIRE(client.greet(in(2s), 2s).ok());
    boost::json::value result;
    REQUIRE(client.execute("query-block", {}, in(2s), result).ok());
    CHECK(array_of(result).size() == 2);
}

TEST_CASE("QEMU's refusal comes with its own words") {
    FakePeer peer{[](FakePeer& p) {
        p.say(greeting);
        p.answer("{}");
        p.hear();
        p.say("{\"id\": \"penstock-2\", \"error\": {\"class\": \"GenericError\", \"desc\": \"bps and bps_rd\"}}\r\n");
        p.hear();
        p.say("{\"error\": {\"class\": \"CommandNotFound\", \"desc\": \"no such\"}}\r\n");
        p.hang();
    }};
    auto client = peer.client();
    REQUIRE(client.greet(in(2s), 2s).ok());
    boost::json::value result;
    const auto refused = client.execute("block_set_io_throttle", {}, in(2s), result);
    CHECK(refused.code() == PENSTOCK_E_CONFLICT);
    CHECK(refused.message() == "QMP socket /fake: block_set_io_throttle: bps and bps_rd");
    CHECK(client.execute("nonsense", {}, in(2s), result).code() == PENSTOCK_E_UNSUPPORTED);
}

TEST_CASE("a peer that says nothing is busy with another client") {
    FakePeer peer{[](FakePeer& p) { p.hang(); }};
    const auto start = Clock::now();
    const auto status = peer.client().greet(in(5s), 100ms);
    CHECK(status.code() == PENSTOCK_E_BUSY);
    CHECK(status.message().find("another client holds") != std::string::npos);
    CHECK(Clock::now() - start < 1s);
}

TEST_CASE("peers that misbehave cost no more than the deadline") {
    const auto [name, behaviour, code] = GENERATE(table<std::string, void (*)(FakePeer&), int>({
        {"half a line", [](FakePeer& p) { p.say(greeting.substr(0, 40)); p.hang(); }, PENSTOCK_E_TIMEOUT},
        {"a hang after the greeting", [](FakePeer& p) { p.say(greeting); p.hang(); }, PENSTOCK_E_TIMEOUT},
        {"drops", [](FakePeer& p) { while (p.say(" ")) std::this_thread::sleep_for(5ms); }, PENSTOCK_E_TIMEOUT},
        {"endless events", [](FakePeer& p) { p.say(greeting); while (p.say("{\"event\": \"X\"}\r\n")) {} }, PENSTOCK_E_TIMEOUT},
        {"garbage", [](FakePeer& p) { p.say("\xff\xfe{{{[[[\x80\r\n"); p.hang(); }, PENSTOCK_E_MALFORMED},
        {"10 MB", [](FakePeer& p) { p.say("{\"QMP\": \"" + std::string(10'000'000, 'a')); p.hang(); }, PENSTOCK_E_MALFORMED},
        {"depth", [](FakePeer& p) { p.say(std::string(1 << 20, '[')); p.hang(); }, PENSTOCK_E_MALFORMED},
        {"a close", [](FakePeer& p) { p.close(); }, PENSTOCK_E_MALFORMED},
        {"a close after the greeting", [](FakePeer& p) { p.say(greeting); p.hear(); p.close(); }, PENSTOCK_E_MALFORMED},
        {"another greeting", [](FakePeer& p) { p.say("{\"hello\": 1}\r\n"); p.hang(); }, PENSTOCK_E_MALFORMED},
        {"an answer to nobody", [](FakePeer& p) { p.say(greeting); p.hear(); p.say("{\"return\": []}\r\n"); p.hang(); }, PENSTOCK_E_MALFORMED},
    }));
    CAPTURE(name);
    FakePeer peer{behaviour};
    const auto start = Clock::now();
    const auto status = peer.client().greet(in(400ms), 300ms);
    CHECK(status.code() == code);
    CHECK(status.message().find("/fake") != std::string::npos);
    CHECK(Clock::now() - start < 2s);
}

TEST_CASE("a call that the host gave up on ends") {
    int cancel[2];
    REQUIRE(::pipe(cancel) == 0);
    const sdk::Fd reader{cancel[0]}, writer{cancel[1]};
    FakePeer peer{[](FakePeer& p) {
        p.say(greeting.substr(0, 5));
        p.hang();
    }};
    REQUIRE(::write(writer.get(), "x", 1) == 1);
    const auto start = Clock::now();
    CHECK(peer.client().greet(Deadline{Clock::now() + 10s, reader.get()}, 10s).code() == PENSTOCK_E_TIMEOUT);
    CHECK(Clock::now() - start < 2s);
}
