// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.hpp>

#include <chrono>

namespace penstock::kvm {

// Until when a call may take, and what cancels it.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    explicit Deadline(Clock::time_point at, int cancel_fd = -1) : at_{at}, cancel_fd_{cancel_fd} {}
    static Deadline of(const sdk::Call& call) { return Deadline{Clock::now() + call.remaining(), call.cancel_fd()}; }

    Clock::time_point at() const { return at_; }
    bool passed() const { return Clock::now() >= at_; }
    bool cancelled() const;
    std::chrono::milliseconds remaining() const;
    // The same, but not later than `limit` from now.
    Deadline at_most(std::chrono::milliseconds limit) const;

    enum class Wake { ready, timeout, cancelled };
    // Waits for `events` (POLLIN, POLLOUT) on a descriptor; -1: only for the time to pass.
    Wake wait(int fd, short events) const;

private:
    Clock::time_point at_;
    int cancel_fd_;
};

} // namespace penstock::kvm
