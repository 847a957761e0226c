// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace penstock::xen {

using namespace sdk;

namespace {

// Questions that are on their way at a time. They fit into the socket's buffer, so that sending them never waits for
// answers that nobody has taken yet.
constexpr std::size_t window = 64;
constexpr std::size_t listing_max = 1 << 20;

Status broken(const std::string& what) {
    return {PENSTOCK_E_MALFORMED, "xenstored " + what + ": see its log, and whether 'xenstore-ls' works"};
}

} // namespace

Status Store::connect() {
    if (connection_) return {};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_.size() >= sizeof address.sun_path)
        return {PENSTOCK_E_MALFORMED, "the path of xenstored's socket is too long: " + socket_};
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    if (fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        connection_ = std::move(fd);
        return {};
    }
    const int error = errno;
    switch (error) {
    case ENOENT: return {PENSTOCK_E_NOT_PRESENT, "there is no " + socket_ + ": not a Xen dom0", error};
    case EACCES: return {PENSTOCK_E_DENIED, "opening " + socket_ + ": permission denied: run as root", error};
    case ECONNREFUSED: return {PENSTOCK_E_NOT_PRESENT, "nobody listens at " + socket_ + ": start xenstored", error};
    case EAGAIN: return {PENSTOCK_E_BUSY, "xenstored has too many clients waiting: try again", error};
    default: return {PENSTOCK_E_NOT_PRESENT, "connecting to " + socket_ + ": " + std::strerror(error), error};
    }
}

Status Store::wait(short events, const Call& call) const {
    Status late{PENSTOCK_E_TIMEOUT, "xenstored did not answer in time: is it stopped?"};
    while (true) {
        pollfd polled[2] = {{connection_.get(), events, 0}, {call.cancel_fd(), POLLIN, 0}}; // -1 is left out
        const auto left = std::min<long long>(call.remaining().count(), 60'000);
        if (left == 0) return late;
        const int n = ::poll(polled, 2, static_cast<int>(left));
        if (n < 0 && errno != EINTR) return late;
        if (n > 0 && polled[1].revents != 0) return {PENSTOCK_E_TIMEOUT, "the call was given up"};
        if (n > 0) return {};
    }
}

Status Store::exchange(const std::string& questions, MessageType type, std::size_t count, const Call& call,
                       std::vector<Message>& answers) {
    for (std::size_t sent = 0; sent < questions.size();) {
        const auto n = ::send(connection_.get(), questions.data() + sent, questions.size() - sent, MSG_NOSIGNAL);
        if (n >= 0)
            sent += static_cast<std::size_t>(n);
        else if (errno == EAGAIN) {
            if (auto status = wait(POLLOUT, call); !status.ok()) return status;
        } else if (errno != EINTR)
            return broken("closed the connection");
    }
    std::string in;
    std::size_t at = 0;
    const auto wanted = answers.size() + count;
    while (answers.size() < wanted) {
        bool malformed = false;
        if (auto message = take_message(in, at, malformed)) {
            // Nothing is watched, so each message is the answer to the question that comes next.
            const bool fits = message->request == answers.size() % window &&
                              (message->is_error() || message->type == static_cast<std::uint32_t>(type));
            if (!fits) return broken("answers something else than it was asked");
            answers.push_back(std::move(*message));
            continue;
        }
        if (malformed) return broken("sent a message that is longer than its protocol allows");
        in.erase(0, std::exchange(at, 0));
        char part[16384];
        const auto n = ::recv(connection_.get(), part, sizeof part, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return broken("closed the connection");
        if (n > 0)
            in.append(part, static_cast<std::size_t>(n));
        else if (auto status = wait(POLLIN, call); !status.ok())
            return status;
    }
    return {};
}

Status Store::ask(MessageType type, const std::vector<std::string>& arguments, const Call& call,
                  std::vector<Message>& answers) {
    if (auto status = connect(); !status.ok()) return status;
    answers.reserve(arguments.size());
    for (std::size_t first = 0; first < arguments.size(); first += window) {
        const auto last = std::min(first + window, arguments.size());
        std::string questions;
        for (auto i = first; i < last; ++i)
            append_message(questions, type, static_cast<std::uint32_t>(i % window), arguments[i] + '\0');
        if (auto status = exchange(questions, type, last - first, call, answers); !status.ok()) {
            disconnect(); // answers may still be on their way
            return status;
        }
    }
    return {};
}

Status Store::read(const std::vector<std::string>& paths, const Call& call,
                   std::vector<std::optional<std::string>>& values) {
    std::vector<Message> answers;
    if (auto status = ask(MessageType::read, paths, call, answers); !status.ok()) return status;
    values.clear();
    for (auto& answer : answers) {
        if (answer.is_error())
            values.emplace_back();
        else
            values.emplace_back(std::move(answer.payload));
    }
    return {};
}

Status Store::list(const std::vector<std::string>& paths, const Call& call,
                   std::vector<std::optional<std::vector<std::string>>>& children) {
    std::vector<Message> answers;
    if (auto status = ask(MessageType::directory, paths, call, answers); !status.ok()) return status;
    children.clear();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        auto& names = children.emplace_back();
        if (!answers[i].is_error())
            names = names_in(answers[i].payload);
        else if (answers[i].error() == "E2BIG") {
            if (auto status = list_long(paths[i], call, names.emplace()); !status.ok()) return status;
        }
    }
    return {};
}

Status Store::list_long(const std::string& path, const Call& call, std::vector<std::string>& names) {
    // Each part: the node's generation, then names; an empty name after the last one. A node that changes in between
    // is read anew.
    std::string listing, generation;
    while (listing.size() < listing_max) {
        std::vector<Message> answers;
        auto status = ask(MessageType::directory_part, {path + '\0' + std::to_string(listing.size())}, call, answers);
        if (!status.ok()) return status;
        if (answers[0].is_error()) return broken("cannot list " + path);
        const std::string_view part = answers[0].payload;
        const auto end = part.find('\0');
        if (end == std::string_view::npos) return broken("lists " + path + " in parts that are none");
        const auto more = part.substr(end + 1);
        if (!listing.empty() && part.substr(0, end) != generation) {
            listing.clear();
            continue;
        }
        generation = part.substr(0, end);
        if (more.empty()) return broken("lists " + path + " in parts that are empty");
        listing += more;
        if (more.size() == 1 || more.ends_with(std::string_view{"\0\0", 2})) {
            names = names_in(listing);
            return {};
        }
    }
    return broken("says that " + path + " has more than a MiB of children");
}

} // namespace penstock::xen
