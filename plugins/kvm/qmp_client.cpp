// SPDX-License-Identifier: Apache-2.0
#include "qmp_client.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace penstock::kvm {

using namespace std::chrono_literals;

sdk::Status QmpClient::failed(std::int32_t code, const std::string& what, int error) const {
    return {code, "QMP socket " + where_ + ": " + what, error};
}

sdk::Status QmpClient::greet(const Deadline& deadline, std::chrono::milliseconds patience) {
    boost::json::value greeting;
    auto status = next(deadline.at_most(patience), greeting);
    // QEMU serves one client at a time; a second one is connected by the kernel and left waiting.
    if (status.code() == PENSTOCK_E_TIMEOUT && reader_.silent() && !deadline.cancelled())
        return sdk::Status{
            PENSTOCK_E_BUSY,
            "another client holds the QMP socket " + where_ +
                ", or QEMU is stuck: it does not greet; end the other client or give QEMU a second -qmp socket"}
            .retry_after(1000ms);
    if (!status.ok()) return status;
    if (member(greeting, "QMP") == nullptr) return failed(PENSTOCK_E_MALFORMED, "it greets unlike a QEMU");
    boost::json::value result;
    return execute("qmp_capabilities", {}, deadline, result);
}

sdk::Status QmpClient::execute(std::string_view command, boost::json::object arguments, const Deadline& deadline,
                               boost::json::value& result) {
    const auto id = "penstock-" + std::to_string(++last_id_);
    boost::json::object request{{"execute", command}, {"id", id}};
    if (!arguments.empty()) request["arguments"] = std::move(arguments);
    if (auto status = send(boost::json::serialize(request) + "\r\n", deadline); !status.ok()) return status;
    while (true) {
        boost::json::value message;
        if (auto status = next(deadline, message); !status.ok()) return status;
        if (member(message, "event") != nullptr) continue;
        const auto* error = member(message, "error");
        // QEMU leaves the id out where it could not read the command.
        if (text_of(message, "id") != id && error == nullptr)
            return failed(PENSTOCK_E_MALFORMED, "it answers what was not asked");
        const std::string name{command};
        if (error != nullptr) {
            const auto kind = text_of(*error, "class");
            const auto code = kind == "CommandNotFound"  ? PENSTOCK_E_UNSUPPORTED
                              : kind == "DeviceNotFound" ? PENSTOCK_E_GONE
                                                         : PENSTOCK_E_CONFLICT;
            return failed(code, name + ": " + std::string{text_of(*error, "desc")});
        }
        const auto* value = member(message, "return");
        if (value == nullptr) return failed(PENSTOCK_E_MALFORMED, name + ": its answer holds neither result nor error");
        result = *value;
        return {};
    }
}

sdk::Status QmpClient::send(std::string_view text, const Deadline& deadline) {
    while (!text.empty()) {
        const auto n = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            text.remove_prefix(static_cast<std::size_t>(n));
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN)
            return failed(PENSTOCK_E_MALFORMED, std::string{"sending: "} + std::strerror(errno), errno);
        if (deadline.wait(socket_.get(), POLLOUT) != Deadline::Wake::ready)
            return failed(PENSTOCK_E_TIMEOUT, "it takes no command in time");
    }
    return {};
}

sdk::Status QmpClient::next(const Deadline& deadline, boost::json::value& message) {
    char buffer[64 * 1024];
    while (reader_.messages().empty()) {
        // Asked before each read: a peer that drips bytes must not outlast the deadline.
        switch (deadline.passed() ? Deadline::Wake::timeout : deadline.wait(socket_.get(), POLLIN)) {
        case Deadline::Wake::timeout:
            return failed(PENSTOCK_E_TIMEOUT, "no whole answer in time: QEMU is stuck or overloaded");
        case Deadline::Wake::cancelled: return failed(PENSTOCK_E_TIMEOUT, "cancelled");
        case Deadline::Wake::ready: break;
        }
        const auto n = ::recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (n == 0) return failed(PENSTOCK_E_MALFORMED, "it was closed by the other side");
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (n < 0) return failed(PENSTOCK_E_MALFORMED, std::string{"reading: "} + std::strerror(errno), errno);
        if (auto status = reader_.feed({buffer, static_cast<std::size_t>(n)}); !status.ok())
            return failed(status.code(), status.message());
    }
    message = std::move(reader_.messages().front());
    reader_.messages().pop_front();
    return {};
}

} // namespace penstock::kvm
