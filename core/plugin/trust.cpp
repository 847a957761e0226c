// SPDX-License-Identifier: Apache-2.0
#include "plugin/trust.hpp"

#include "base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace penstock {
namespace {

Result<void> check(const Fd& fd, const std::string& path, TrustPolicy policy, bool last) {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return Error::from_errno(errno, "looking at " + printable(path));
    if (last && !S_ISREG(status.st_mode)) return Error{ErrorCode::denied, printable(path) + " is not a file"};
    const auto next = fmt::format("chown root {0} && chmod go-w {0}, or install the plugin elsewhere", printable(path));
    if (status.st_uid != 0 && status.st_uid != policy.owner)
        return Error{ErrorCode::denied, fmt::format("{} cannot be trusted: it belongs to uid {}", printable(path), status.st_uid)}.advise(next);
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return Error{ErrorCode::denied, fmt::format("{} cannot be trusted: others can write it (mode {:o})", printable(path), status.st_mode & 07777U)}.advise(next);
    return {};
}

} // namespace

TrustPolicy TrustPolicy::of_caller() { return {::geteuid()}; }

Result<Fd> open_trusted(const std::string& path, TrustPolicy policy) {
    if (path.empty() || path[0] != '/') return Error{ErrorCode::invalid, "'" + printable(path) + "' is not an absolute path"};
    Fd directory{::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!directory) return Error::from_errno(errno, "opening /");
    // One component after the other, never through a symbolic link, each checked by the descriptor that leads on.
    for (std::size_t at = 1; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        const auto part = path.substr(at, end - at);
        const auto so_far = path.substr(0, end);
        const bool last = end == path.size();
        at = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == "..") return Error{ErrorCode::invalid, printable(path) + " must not hold '..'"};
        Fd next{::openat(directory.get(), part.c_str(), (last ? O_RDONLY : O_PATH | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
        if (!next && (errno == ELOOP || errno == ENOTDIR))
            return Error{ErrorCode::denied, printable(so_far) + " cannot be trusted: it is a symbolic link, or no directory"}.advise("give the real path");
        if (!next) return Error::from_errno(errno, "opening " + printable(so_far));
        if (auto trusted = check(next, so_far, policy, last); !trusted) return trusted.error();
        directory = std::move(next);
    }
    return directory;
}

} // namespace penstock
