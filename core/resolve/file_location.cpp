// SPDX-License-Identifier: Apache-2.0
#include "resolve/file_location.hpp"

#include "base/fd.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "sys/file.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>

namespace penstock {
namespace {

Result<Fd> open_beneath(const std::string& root, const std::string& path) {
    const auto directory = open_directory(root);
    if (!directory) return directory.error();
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    Fd fd{static_cast<int>(::syscall(SYS_openat2, directory->get(), path.c_str(), &how, sizeof how))};
    if (!fd) return Error::from_errno(errno, "looking at " + printable(path) + " below " + root);
    return fd;
}

std::optional<int> mount_id_of(const Fd& fd) {
    const auto text = read_file("/proc/self/fdinfo/" + std::to_string(fd.get()));
    if (!text) return std::nullopt;
    constexpr std::string_view key = "mnt_id:\t";
    const auto at = text->find(key);
    if (at == std::string::npos) return std::nullopt;
    const auto value = std::string_view{*text}.substr(at + key.size());
    return parse_number<int>(value.substr(0, value.find('\n')));
}

} // namespace

std::optional<Mount> mount_of(const std::vector<Mount>& mounts, int mount_id) {
    const auto found = std::find_if(mounts.begin(), mounts.end(), [&](const Mount& m) { return m.id == mount_id; });
    return found == mounts.end() ? std::nullopt : std::optional{*found};
}

Result<FileLocation> locate_file(const Roots& roots, pid_t root_pid, const std::string& path) {
    if (path.empty() || path.find('\0') != std::string::npos)
        return Error{ErrorCode::malformed, "the path '" + printable(path) + "' names no file"};
    const auto fd = open_beneath(root_pid == 0 ? "/" : roots.proc + "/" + std::to_string(root_pid) + "/root", path);
    if (!fd) return fd.error();
    struct stat status {};
    if (::fstat(fd->get(), &status) != 0) return Error::from_errno(errno, "looking at " + printable(path));
    FileLocation location;
    location.file_system = DeviceNumber::from_dev(status.st_dev);
    if (S_ISBLK(status.st_mode))
        location.device = DeviceNumber::from_dev(status.st_rdev);
    else if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return Error{ErrorCode::malformed, printable(path) + " is neither a file, a directory nor a block device"};
    const auto mounts = read_mounts(roots, root_pid);
    const auto id = mount_id_of(*fd);
    if (mounts && id) location.mount = mount_of(*mounts, *id);
    return location;
}

} // namespace penstock
