// SPDX-License-Identifier: Apache-2.0
#include "check/runner.hpp"

#include "base/fd.hpp"
#include "base/text.hpp"
#include "check/subject.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>

namespace penstock::check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t output_cap = 64 << 10;

// One line a sentence, behind a letter: F(ailure), S(kipped), D(one).
void write_line(int fd, char kind, const std::string& sentence) {
    const auto line = fmt::format("{}{}\n", kind, printable(sentence));
    [[maybe_unused]] const auto written = ::write(fd, line.data(), line.size());
}

[[noreturn]] void run_in_child(const Case& what, const RunOptions& options, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, fd);
    Verdict verdict;
    {
        Subject subject{options.library, options.seed};
        what.run(subject, verdict);
    }
    for (const auto& sentence : verdict.failures()) write_line(out, 'F', sentence);
    if (!verdict.skipped().empty()) write_line(out, 'S', verdict.skipped());
    write_line(out, 'D', "");
    ::_exit(0); // what the library wants to do at exit is another case's matter
}

// Everything the child says until it closes the pipe or time is up; false: it is.
bool read_until(int fd, Clock::time_point end, std::string& text) {
    std::array<char, 4096> buffer;
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd wait{fd, POLLIN, 0};
        const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const auto n = ::read(fd, buffer.data(), buffer.size());
        if (n <= 0) return true;
        if (text.size() < output_cap) text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

std::string end_of(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("the plugin brought its process down: signal {} ({})", WTERMSIG(status),
                           ::strsignal(WTERMSIG(status)));
    return fmt::format("the plugin ended its process with status {}", WEXITSTATUS(status));
}

} // namespace

Outcome run_case(const Case& what, const RunOptions& options) {
    Outcome outcome{what, Result::failed, {}, 0};
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        outcome.sentences.push_back(fmt::format("cannot make a pipe: {}", ::strerror(errno)));
        return outcome;
    }
    const Fd from{ends[0]};
    Fd to{ends[1]};
    const auto begin = Clock::now();
    const auto child = ::fork();
    if (child == 0) run_in_child(what, options, to.get());
    to = Fd{};
    std::string text;
    const bool in_time = child > 0 && read_until(from.get(), begin + std::chrono::seconds(options.seconds), text);
    if (child > 0 && !in_time) ::kill(child, SIGKILL);
    int status = 0;
    if (child > 0) ::waitpid(child, &status, 0);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();

    bool done = false, skipped = false;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        const auto kind = text[at];
        if (kind == 'D') done = true;
        if (kind == 'S') skipped = true;
        if (kind == 'F' || kind == 'S') outcome.sentences.push_back(text.substr(at + 1, end - at - 1));
    }
    if (child < 0)
        outcome.sentences.push_back("cannot make a process");
    else if (!in_time)
        outcome.sentences.push_back(fmt::format("it did not end within {} seconds", options.seconds));
    else if (!done)
        outcome.sentences.push_back(end_of(status));
    else if (outcome.sentences.empty())
        outcome.result = Result::passed;
    else if (skipped && outcome.sentences.size() == 1)
        outcome.result = Result::skipped;
    return outcome;
}

} // namespace penstock::check
