// SPDX-License-Identifier: Apache-2.0
#include "file.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <memory>

namespace penstock::kvm {

namespace {

// O_NONBLOCK: a FIFO in a file's place must not hold us up.
constexpr int read_flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

} // namespace

std::optional<std::string> read_file(int directory, const char* path, std::size_t cap) {
    const Fd fd{::openat(directory, path, read_flags)};
    if (!fd) return std::nullopt;
    std::string text;
    std::size_t size = 0;
    while (size < cap) {
        text.resize(std::min(cap, std::max<std::size_t>(4096, size * 2)));
        const auto n = ::read(fd.get(), text.data() + size, text.size() - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return std::nullopt;
        if (n == 0) break;
        size += static_cast<std::size_t>(n);
    }
    text.resize(size);
    return text;
}

std::string_view peek_file(int directory, const char* path, std::span<char> buffer) {
    const Fd fd{::openat(directory, path, read_flags)};
    const auto n = fd ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
    return n <= 0 ? std::string_view{} : std::string_view{buffer.data(), static_cast<std::size_t>(n)};
}

std::optional<std::string> read_link(int directory, const char* path) {
    char target[PATH_MAX];
    const auto n = ::readlinkat(directory, path, target, sizeof target);
    if (n < 0) return std::nullopt;
    return std::string{target, static_cast<std::size_t>(n)};
}

Fd open_directory(int directory, const char* path) {
    return Fd{::openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

void for_each_entry(int directory, const std::function<bool(const char* name)>& each) {
    const int own = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0) return;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream{::fdopendir(own), &::closedir};
    if (!stream) {
        ::close(own);
        return;
    }
    while (const auto* entry = ::readdir(stream.get())) {
        if (!each(entry->d_name)) return;
    }
}

} // namespace penstock::kvm
