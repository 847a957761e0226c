// SPDX-License-Identifier: Apache-2.0
#include "observe/calibration.hpp"

#include "base/fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace penstock {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t small = 4096, large = 1U << 20;
constexpr int readers = 16;
// Not counted: whatever a device grants for a start.
constexpr std::chrono::milliseconds warm_up{500}, counted{1500};

struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
};

// One way of reading a device, by all readers together.
class Load {
public:
    Load(int fd, std::uint64_t blocks, std::size_t size, bool at_random)
        : fd_{fd}, blocks_{blocks}, size_{size}, at_random_{at_random} {}

    // Reads finished a second, or the errno of the first that failed.
    Result<double> rate(const std::string& node) {
        const auto begin = Clock::now() + warm_up, end = begin + counted;
        std::vector<std::jthread> threads;
        for (int i = 0; i < readers; ++i)
            threads.emplace_back([this, i, begin, end] { read_until(begin, end, static_cast<unsigned>(i)); });
        threads.clear(); // waits for all
        if (failed_ != 0) return Error::from_errno(failed_, "reading " + node);
        return static_cast<double>(done_) / std::chrono::duration<double>(counted).count();
    }

private:
    void read_until(Clock::time_point begin, Clock::time_point end, unsigned seed) {
        const std::unique_ptr<void, FreeMemory> memory{std::aligned_alloc(small, size_)};
        std::minstd_rand random{seed + 1};
        while (memory && failed_ == 0) {
            const auto block = (at_random_ ? random() : next_++) % blocks_;
            if (::pread(fd_, memory.get(), size_, static_cast<off_t>(block * size_)) < 0) failed_ = errno;
            const auto now = Clock::now();
            if (now >= end) return;
            if (now >= begin) ++done_;
        }
    }

    int fd_;
    std::uint64_t blocks_;
    std::size_t size_;
    bool at_random_;
    std::atomic<std::uint64_t> next_{0}, done_{0};
    std::atomic<int> failed_{0};
};

std::uint64_t whole(double rate) { return rate < 1 ? 1 : static_cast<std::uint64_t>(rate); }

} // namespace

Result<IocostModel> calibrate(const std::string& node) {
    const Fd fd{::open(node.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)};
    if (!fd) return Error::from_errno(errno, "opening " + node);
    const auto size = ::lseek(fd.get(), 0, SEEK_END);
    if (size < static_cast<off_t>(large)) return Error{ErrorCode::unsupported, node + " is too small to be measured"};
    const auto bytes = static_cast<std::uint64_t>(size);
    const auto in_sequence = Load{fd.get(), bytes / large, large, false}.rate(node);
    if (!in_sequence) return in_sequence.error();
    const auto small_in_sequence = Load{fd.get(), bytes / small, small, false}.rate(node);
    if (!small_in_sequence) return small_in_sequence.error();
    const auto at_random = Load{fd.get(), bytes / small, small, true}.rate(node);
    if (!at_random) return at_random.error();
    IocostModel model;
    model.rbps = model.wbps = whole(*in_sequence * static_cast<double>(large));
    model.rseqiops = model.wseqiops = whole(*small_in_sequence);
    model.rrandiops = model.wrandiops = whole(*at_random);
    return model;
}

} // namespace penstock
