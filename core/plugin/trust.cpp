// SPDX-License-Identifier: Apache-2.0
#include "plugin/trust.hpp"

#include "base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace penstock {
namespace {

enum class Place { directory, file };

// By the descriptor, never by the name: what is checked is what is used.
Result<void> check(int fd, const std::string& path, TrustPolicy policy, Place place) {
    const auto shown = printable(path);
    struct stat status {};
    if (::fstat(fd, &status) != 0) return Error::from_errno(errno, "looking at " + shown);
    if (place == Place::file && !S_ISREG(status.st_mode))
        return Error{ErrorCode::denied, shown + " cannot be trusted: it is not a regular file"};
    const auto mode = status.st_mode & 07777U;
    if (status.st_uid != 0 && status.st_uid != policy.owner)
        return Error{ErrorCode::denied, fmt::format("{} cannot be trusted: it belongs to uid {}", shown, status.st_uid)}
            .advise(fmt::format("chown root '{}', or install the plugin elsewhere", shown));
    if ((mode & (S_IWGRP | S_IWOTH)) != 0)
        return Error{ErrorCode::denied,
                     fmt::format("{} cannot be trusted: others than its owner can write it (mode {:o})", shown, mode)}
            .advise((mode & S_ISVTX) != 0 ? "install the plugin elsewhere"
                                          : fmt::format("chmod go-w '{}', or install the plugin elsewhere", shown));
    return {};
}

Result<Fd> enter(int directory, const std::string& name, const std::string& path, TrustPolicy policy, Place place) {
    // O_NONBLOCK: a FIFO must not hold the command up before it is found to be one.
    const int how = place == Place::file ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY;
    Fd fd{::openat(directory, name.c_str(), how | O_NOFOLLOW | O_CLOEXEC)};
    if (!fd) {
        const int error = errno;
        struct stat status {};
        if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
            return Error{ErrorCode::denied, printable(path) + " cannot be trusted: it is a symbolic link"}.advise(
                "give the path that it leads to");
        return Error::from_errno(error, "opening " + printable(path));
    }
    if (auto trusted = check(fd.get(), path, policy, place); !trusted) return std::move(trusted.error());
    return fd;
}

} // namespace

TrustPolicy TrustPolicy::of_caller() { return {::getauxval(AT_SECURE) != 0 ? 0 : ::geteuid()}; }

TrustedDirectory::TrustedDirectory(Fd fd, std::string path, TrustPolicy policy)
    : fd_{std::move(fd)}, path_{std::move(path)}, policy_{policy} {}

Result<TrustedDirectory> TrustedDirectory::open(const std::string& path, TrustPolicy policy) {
    if (!path.starts_with('/') || path.find('\0') != std::string::npos)
        return Error{ErrorCode::invalid, fmt::format("'{}' is not an absolute path", printable(path))};
    auto directory = enter(AT_FDCWD, "/", "/", policy, Place::directory);
    if (!directory) return std::move(directory.error());
    // One component after the other, each opened beneath the descriptor of the one before.
    for (std::size_t begin = 1; begin < path.size();) {
        const auto end = std::min(path.find('/', begin), path.size());
        const auto part = path.substr(begin, end - begin);
        begin = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == "..") return Error{ErrorCode::invalid, printable(path) + " must not hold '..'"};
        directory = enter(directory->get(), part, path.substr(0, end), policy, Place::directory);
        if (!directory) return std::move(directory.error());
    }
    return TrustedDirectory{*std::move(directory), path, policy};
}

Result<Fd> TrustedDirectory::open_file(const std::string& name) const {
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
        return Error{ErrorCode::invalid, fmt::format("'{}' is not a file name", printable(name))};
    return enter(fd_.get(), name, path_ + (path_.ends_with('/') ? "" : "/") + name, policy_, Place::file);
}

Result<Fd> open_trusted(const std::string& path, TrustPolicy policy) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos)
        return Error{ErrorCode::invalid, fmt::format("'{}' is not an absolute path", printable(path))};
    const auto directory = TrustedDirectory::open(slash == 0 ? "/" : path.substr(0, slash), policy);
    if (!directory) return directory.error();
    return directory->open_file(path.substr(slash + 1));
}

} // namespace penstock
