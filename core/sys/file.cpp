// SPDX-License-Identifier: Apache-2.0
#include "sys/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

namespace penstock {

Result<Fd> open_directory(const std::string& path) {
    Fd fd{::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!fd) return Error::from_errno(errno, "opening directory " + path);
    return fd;
}

Result<std::string> read_at(int directory, const std::string& path, const std::string& display) {
    // O_NONBLOCK: a FIFO in the place of a file must not hang us.
    const Fd fd{::openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!fd) return Error::from_errno(errno, "opening " + display);
    std::string text;
    std::array<char, 16384> buffer;
    for (;;) {
        const auto n = ::read(fd.get(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return Error::from_errno(errno, "reading " + display);
        if (n == 0) return text;
        if (text.size() + static_cast<std::size_t>(n) > file_size_cap)
            return Error{ErrorCode::malformed, "reading " + display + ": larger than 16 MiB"};
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

Result<std::string> read_file(const std::string& path) { return read_at(AT_FDCWD, path, path); }

Result<std::string> read_line(const std::string& path) {
    auto text = read_file(path);
    if (text && !text->empty() && text->back() == '\n') text->pop_back();
    return text;
}

std::vector<std::string> entry_names(const std::string& directory) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing{::opendir(directory.c_str()), ::closedir};
    if (!listing) return names;
    while (const auto* entry = ::readdir(listing.get()))
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> write_at(int directory, const std::string& path, std::string_view text, const std::string& display) {
    const Fd fd{::openat(directory, path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)};
    if (!fd) return Error::from_errno(errno, "opening " + display + " for writing");
    const auto n = ::write(fd.get(), text.data(), text.size());
    if (n < 0) return Error::from_errno(errno, "writing '" + std::string{text} + "' to " + display);
    if (static_cast<std::size_t>(n) != text.size())
        return Error{ErrorCode::partial, "writing '" + std::string{text} + "' to " + display + ": only " +
                                             std::to_string(n) + " bytes were taken"};
    return {};
}

namespace {

Result<void> write_and_sync(const std::string& path, std::string_view text) {
    const Fd fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (!fd) return Error::from_errno(errno, "creating " + path);
    while (!text.empty()) {
        const auto n = ::write(fd.get(), text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return Error::from_errno(errno, "writing " + path);
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(fd.get()) != 0) return Error::from_errno(errno, "syncing " + path);
    return {};
}

} // namespace

Result<void> replace_file(const std::string& path, std::string_view text) {
    const auto temporary = path + ".new";
    if (auto written = write_and_sync(temporary, text); !written) {
        ::unlink(temporary.c_str());
        return written;
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        const auto error = errno;
        ::unlink(temporary.c_str());
        return Error::from_errno(error, "renaming " + temporary + " to " + path);
    }
    const auto parent = path.substr(0, path.find_last_of('/') + 1);
    const Fd directory{::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!directory || ::fsync(directory.get()) != 0) return Error::from_errno(errno, "syncing directory " + parent);
    return {};
}

Result<void> make_directories(const std::string& path) {
    for (std::size_t at = 1; at != std::string::npos;) {
        at = path.find('/', at + 1);
        const auto part = path.substr(0, at);
        if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
            return Error::from_errno(errno, "making directory " + part);
    }
    return {};
}

} // namespace penstock
