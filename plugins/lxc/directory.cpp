// SPDX-License-Identifier: Apache-2.0
#include "directory.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace penstock::lxc {

Directory::Directory(const std::string& path) : fd_{sdk::open_directory(AT_FDCWD, path.c_str())} {}

Directory Directory::open(const std::string& path) const {
    return Directory{sdk::open_directory(fd_.get(), path.c_str())};
}

Directory Directory::open_beneath(std::string_view path) const {
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::string relative{path.empty() ? "." : path};
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return Directory{sdk::Fd{static_cast<int>(::syscall(SYS_openat2, fd_.get(), relative.c_str(), &how, sizeof how))}};
}

std::optional<std::string> Directory::read(const char* path, std::size_t cap) const {
    return sdk::read_file(fd_.get(), path, cap, {.follow = true});
}

std::optional<std::string> Directory::read_piece(const char* path) const {
    return sdk::read_file(fd_.get(), path, file_cap, {.follow = true, .one_piece = true});
}

std::optional<std::string> Directory::link(const char* path) const { return sdk::read_link(fd_.get(), path); }

std::optional<uid_t> Directory::owner(const char* path) const {
    struct stat status {};
    if (::fstatat(fd_.get(), path, &status, AT_NO_AUTOMOUNT) != 0) return std::nullopt;
    return status.st_uid;
}

std::vector<Directory::Entry> Directory::entries(std::size_t cap) const {
    std::vector<Entry> found;
    sdk::for_each_entry(fd_.get(), [&](const char* name, unsigned char type) {
        if (found.size() == cap) return false;
        found.push_back({name, type});
        return true;
    });
    return found;
}

} // namespace penstock::lxc
