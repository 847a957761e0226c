// SPDX-License-Identifier: Apache-2.0
#include "plugin/wire.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>

namespace penstock {
namespace {

constexpr std::size_t gathered = 64U << 10, read_size = 64U << 10;

} // namespace

Result<void> FrameSocket::send(FrameKind kind, std::string_view payload) {
    const auto length = static_cast<std::uint32_t>(payload.size() + 1);
    if (length > frame_cap) return Error{ErrorCode::malformed, fmt::format("a frame of {} bytes is too long", length)};
    out_.append(reinterpret_cast<const char*>(&length), sizeof length);
    out_ += static_cast<char>(kind);
    out_.append(payload);
    if (out_.size() >= gathered) return flush();
    return {};
}

Result<void> FrameSocket::flush() {
    std::string_view rest = out_;
    while (!rest.empty()) {
        const auto n = ::send(fd_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const auto failed = errno;
            out_.clear();
            if (failed == EPIPE || failed == ECONNRESET) return Error{ErrorCode::gone, "the other end has closed"};
            return Error::from_errno(failed, "writing to the plugin's socket");
        }
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
    out_.clear();
    return {};
}

Result<std::optional<Frame>> FrameSocket::take() {
    const std::string_view rest = std::string_view{in_}.substr(taken_);
    std::uint32_t length = 0;
    if (rest.size() < sizeof length) return std::optional<Frame>{};
    std::memcpy(&length, rest.data(), sizeof length);
    if (length == 0 || length > frame_cap)
        return Error{ErrorCode::malformed, fmt::format("a frame of {} bytes came", length)};
    if (rest.size() < sizeof length + length) return std::optional<Frame>{};
    const auto kind = static_cast<std::uint8_t>(rest[sizeof length]);
    if (kind > static_cast<std::uint8_t>(FrameKind::done))
        return Error{ErrorCode::malformed, fmt::format("a frame of kind {} came", kind)};
    Frame frame{static_cast<FrameKind>(kind), std::string{rest.substr(sizeof length + 1, length - 1)}};
    taken_ += sizeof length + length;
    if (taken_ == in_.size()) {
        in_.clear();
        taken_ = 0;
    }
    return std::optional{std::move(frame)};
}

Result<bool> FrameSocket::receive(int flags) {
    in_.erase(0, taken_);
    taken_ = 0;
    std::array<char, read_size> buffer;
    while (true) {
        const auto n = ::recv(fd_.get(), buffer.data(), buffer.size(), flags);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return false;
        if (n < 0 && errno != ECONNRESET) return Error::from_errno(errno, "reading from the plugin's socket");
        if (n <= 0) return Error{ErrorCode::gone, "the other end has closed"};
        in_.append(buffer.data(), static_cast<std::size_t>(n));
        return true;
    }
}

Result<void> FrameSocket::fill() {
    const auto got = receive(0);
    return got ? Result<void>{} : Result<void>{got.error()};
}

Result<bool> FrameSocket::fill_soon() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds{50};
    while (true) {
        if (auto got = receive(MSG_DONTWAIT); !got || *got) return got;
        if (std::chrono::steady_clock::now() > end) return false;
        ::sched_yield();
    }
}

} // namespace penstock
