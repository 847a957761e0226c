// SPDX-License-Identifier: Apache-2.0
#include "deadline.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>

namespace penstock::kvm {

std::chrono::milliseconds Deadline::remaining() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now());
    return std::max(left, std::chrono::milliseconds{0});
}

bool Deadline::cancelled() const {
    pollfd polled{cancel_fd_, POLLIN, 0};
    return cancel_fd_ >= 0 && ::poll(&polled, 1, 0) > 0;
}

Deadline Deadline::at_most(std::chrono::milliseconds limit) const {
    return Deadline{std::min(at_, Clock::now() + limit), cancel_fd_};
}

Deadline::Wake Deadline::wait(int fd, short events) const {
    while (true) {
        pollfd polled[2] = {{fd, events, 0}, {cancel_fd_, POLLIN, 0}}; // poll leaves out negative descriptors
        const auto left = std::min<long long>(remaining().count(), INT_MAX);
        const int n = ::poll(polled, 2, static_cast<int>(left));
        if (n < 0 && errno != EINTR) return Wake::timeout;
        if (n > 0 && polled[1].revents != 0) return Wake::cancelled;
        if (n > 0) return Wake::ready;
        if (passed()) return Wake::timeout;
    }
}

} // namespace penstock::kvm
