// SPDX-License-Identifier: Apache-2.0
//
// penstock/file.hpp - an owned descriptor, and small files read beneath an open directory. Start from a descriptor of
// Host::proc_root() and keep it: what is opened below a /proc/PID that stays open never reaches another process.
//
// Paths are relative to `directory`, a descriptor or AT_FDCWD. Every function may be called from any thread as long as
// `directory` stays open, throws nothing of its own and works with -fno-exceptions. A failure is an empty result; errno
// is not promised.
#ifndef PENSTOCK_FILE_HPP
#define PENSTOCK_FILE_HPP

#include <penstock/plugin.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace penstock {
namespace sdk PENSTOCK_HIDDEN {
inline namespace v1 {

// Owns a descriptor and closes it. One object is for one thread at a time.
class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) noexcept : fd_{fd} {} // takes it over; less than 0: none
    Fd(Fd&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    Fd& operator=(Fd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Fd() {
        if (fd_ >= 0) ::close(fd_);
    }

    int get() const noexcept { return fd_; }
    int release() noexcept { return std::exchange(fd_, -1); } // the caller's to close
    explicit operator bool() const noexcept { return fd_ >= 0; }

private:
    int fd_ = -1;
};

struct ReadOptions {
    bool follow = false;    // a symbolic link in the last component of the path
    bool one_piece = false; // for a /proc file that the kernel writes at once: saves the read that would only say "end"
};

// At most `cap` bytes of a file. Does not wait for a writer where a FIFO stands in the file's place.
inline std::optional<std::string> read_file(int directory, const char* path, std::size_t cap,
                                            ReadOptions options = {}) {
    const int follow = options.follow ? 0 : O_NOFOLLOW;
    const Fd fd{::openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | follow)};
    if (!fd) return std::nullopt;
    std::string text;
    std::size_t size = 0;
    while (size < cap) {
        text.resize(std::min(cap, std::max<std::size_t>(4096, size * 2)));
        const auto want = text.size() - size;
        const auto n = ::read(fd.get(), text.data() + size, want);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return std::nullopt;
        size += static_cast<std::size_t>(n);
        if (n == 0 || (options.one_piece && static_cast<std::size_t>(n) < want)) break;
    }
    text.resize(size);
    return text;
}

// Where a symbolic link points to.
inline std::optional<std::string> read_link(int directory, const char* path) {
    char target[PATH_MAX];
    const auto n = ::readlinkat(directory, path, target, sizeof target);
    if (n < 0) return std::nullopt;
    return std::string{target, static_cast<std::size_t>(n)};
}

// Follows symbolic links: not for a path that a tenant can write.
inline Fd open_directory(int directory, const char* path) {
    return Fd{::openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

// Calls each(const char* name, unsigned char type) for what is in a directory, unsorted, without "." and "..", until it
// returns false. `name` lives until `each` returns; type: DT_*. False: the directory cannot be read.
template <class Each>
bool for_each_entry(int directory, Each&& each) {
    Fd own = open_directory(directory, ".");
    struct Stream {
        DIR* dir;
        ~Stream() {
            if (dir != nullptr) ::closedir(dir);
        }
    } const stream{own ? ::fdopendir(own.get()) : nullptr};
    if (stream.dir == nullptr) return false;
    own.release(); // the stream's now
    while (const auto* entry = ::readdir(stream.dir)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (!each(static_cast<const char*>(entry->d_name), entry->d_type)) break;
    }
    return true;
}

} // namespace v1
} // namespace PENSTOCK_HIDDEN
} // namespace penstock

#endif // PENSTOCK_FILE_HPP
