// SPDX-License-Identifier: Apache-2.0
#include "plugin/remote_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <utility>

namespace penstock {
namespace {

constexpr std::size_t printed_cap = 4096;
constexpr int patience_ms = 100;
constexpr int socket_number = 3; // where penstock-plugin-host expects it

// After fork, in the child: only what is async-signal-safe.
[[noreturn]] void become(const char* program, int nowhere, int output, int socket) {
    // First out of the way of the numbers that they are to get.
    const int own_socket = ::fcntl(socket, F_DUPFD, 16), own_output = ::fcntl(output, F_DUPFD, 16);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(own_output, STDOUT_FILENO);
    ::dup2(own_output, STDERR_FILENO);
    ::dup2(own_socket, socket_number);
    ::syscall(SYS_close_range, socket_number + 1, ~0U, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execl(program, program, static_cast<char*>(nullptr));
    ::_exit(127);
}

} // namespace

Result<std::unique_ptr<RemoteChild>> RemoteChild::spawn(const std::string& program) {
    std::array<int, 2> sockets{}, pipe{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        return Error::from_errno(errno, "making a socket pair for a plugin's process");
    Fd ours{sockets[0]}, theirs{sockets[1]};
    const timeval patience{1, 0}; // for one that does not read what it is sent
    ::setsockopt(ours.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return Error::from_errno(errno, "making a pipe for a plugin's process");
    Fd output{pipe[0]}, input{pipe[1]};
    ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
    const Fd nowhere{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    if (!nowhere) return Error::from_errno(errno, "opening /dev/null");
    const auto pid = ::fork();
    if (pid < 0) return Error::from_errno(errno, "making a plugin's process");
    if (pid == 0) become(program.c_str(), nowhere.get(), input.get(), theirs.get());
    return std::unique_ptr<RemoteChild>{new RemoteChild{pid, std::move(ours), std::move(output)}};
}

RemoteChild::~RemoteChild() { (void)end(); }

void RemoteChild::drain() {
    std::array<char, 4096> buffer;
    while (output_) {
        const auto n = ::read(output_.get(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) { // it has closed both
            output_ = Fd{};
            return;
        }
        const auto room = printed_cap - std::min(printed_cap, printed_.size());
        printed_.append(buffer.data(), std::min(static_cast<std::size_t>(n), room));
        if (static_cast<std::size_t>(n) < buffer.size()) return;
    }
}

Result<bool> RemoteChild::wait(int milliseconds) {
    std::array<pollfd, 2> polled{pollfd{socket_.fd(), POLLIN, 0}, pollfd{output_ ? output_.get() : -1, POLLIN, 0}};
    const int ready = ::poll(polled.data(), polled.size(), milliseconds);
    if (ready < 0 && errno != EINTR) return Error::from_errno(errno, "waiting for a plugin's process");
    if (ready <= 0) return false;
    if (polled[1].revents != 0) drain();
    return polled[0].revents != 0;
}

std::string RemoteChild::printed() { return std::exchange(printed_, {}); }

std::string RemoteChild::end() {
    if (pid_ == 0) return {};
    const auto pid = std::exchange(pid_, 0);
    int status = 0;
    drain();
    ::shutdown(socket_.fd(), SHUT_RDWR); // at which one that is well ends by itself
    auto ended = ::waitpid(pid, &status, WNOHANG);
    for (int i = 0; ended == 0 && i < patience_ms; ++i) {
        ::usleep(1000);
        ended = ::waitpid(pid, &status, WNOHANG);
    }
    if (ended == 0) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, &status, 0);
    }
    if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127) return "it could not be started";
    return fmt::format("status {}", WEXITSTATUS(status));
}

} // namespace penstock
