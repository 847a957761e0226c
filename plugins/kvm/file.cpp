// SPDX-License-Identifier: Apache-2.0
#include "file.hpp"

#include <penstock/file.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace penstock::kvm {

std::string_view peek_file(int directory, const char* path, std::span<char> buffer) {
    // O_NONBLOCK: a FIFO in a file's place must not hold us up.
    const sdk::Fd fd{::openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)};
    const auto n = fd ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
    return n <= 0 ? std::string_view{} : std::string_view{buffer.data(), static_cast<std::size_t>(n)};
}

} // namespace penstock::kvm
