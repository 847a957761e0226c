// SPDX-License-Identifier: Apache-2.0
#include "directory.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace penstock::lxc {

Directory::Directory(const std::string& path) : fd_{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {}

Directory::~Directory() {
    if (fd_ >= 0) ::close(fd_);
}

Directory Directory::open(const std::string& path) const {
    return Directory{::openat(fd_, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

Directory Directory::open_beneath(std::string_view path) const {
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::string relative{path.empty() ? "." : path};
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return Directory{static_cast<int>(::syscall(SYS_openat2, fd_, relative.c_str(), &how, sizeof how))};
}

std::optional<std::string> Directory::read(const char* path, std::size_t cap) const {
    return read(path, cap, Until::end);
}

std::optional<std::string> Directory::read_piece(const char* path) const {
    return read(path, file_cap, Until::short_read);
}

std::optional<std::string> Directory::read(const char* path, std::size_t cap, Until until) const {
    const int fd = ::openat(fd_, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return std::nullopt;
    std::optional<std::string> text{std::in_place};
    char buffer[16384];
    while (text->size() < cap) {
        const auto want = std::min(sizeof buffer, cap - text->size());
        const ssize_t n = ::read(fd, buffer, want);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) text.reset();
        if (n <= 0) break;
        text->append(buffer, static_cast<std::size_t>(n));
        if (until == Until::short_read && static_cast<std::size_t>(n) < want) break;
    }
    ::close(fd);
    return text;
}

std::optional<std::string> Directory::link(const char* path) const {
    char buffer[PATH_MAX];
    const ssize_t n = ::readlinkat(fd_, path, buffer, sizeof buffer);
    if (n < 0) return std::nullopt;
    return std::string(buffer, static_cast<std::size_t>(n));
}

std::optional<uid_t> Directory::owner(const char* path) const {
    struct stat status {};
    if (::fstatat(fd_, path, &status, AT_NO_AUTOMOUNT) != 0) return std::nullopt;
    return status.st_uid;
}

std::vector<Directory::Entry> Directory::entries(std::size_t cap) const {
    std::vector<Entry> found;
    const int fd = ::openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* dir = fd < 0 ? nullptr : ::fdopendir(fd);
    if (dir == nullptr) {
        if (fd >= 0) ::close(fd);
        return found;
    }
    while (const dirent* entry = ::readdir(dir)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (found.size() == cap) break;
        found.push_back({std::string{name}, entry->d_type});
    }
    ::closedir(dir);
    return found;
}

} // namespace penstock::lxc
