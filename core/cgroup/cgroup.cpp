// SPDX-License-Identifier: Apache-2.0
#include "cgroup/cgroup.hpp"

#include "base/number.hpp"
#include "sys/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

namespace penstock {

std::string parent_path(const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

Result<Cgroup> Cgroup::open(const Hierarchy& hierarchy, const std::string& path) {
    const auto directory = hierarchy.directory(path);
    if (!directory)
        return Error{ErrorCode::unsupported,
                     "cgroup " + path + " lies outside of what is mounted on " + hierarchy.mount_point}
            .advise("run penstock on the host, not inside of a container");
    auto fd = open_directory(*directory);
    if (!fd) return fd.error();
    struct stat status {};
    if (::fstat(fd->get(), &status) != 0) return Error::from_errno(errno, "looking at " + *directory);
    return Cgroup{hierarchy.version, path, *directory, std::move(*fd), status.st_ino};
}

Result<std::string> Cgroup::read(const std::string& file) const {
    return read_at(fd_.get(), file, directory_ + "/" + file);
}

Result<void> Cgroup::write(const std::string& file, std::string_view text) const {
    return write_at(fd_.get(), file, text, directory_ + "/" + file);
}

bool Cgroup::has(const std::string& file) const { return ::faccessat(fd_.get(), file.c_str(), F_OK, 0) == 0; }

Result<std::vector<pid_t>> Cgroup::processes() const {
    const auto text = read("cgroup.procs");
    if (!text) return text.error();
    std::vector<pid_t> pids;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        if (const auto pid = parse_number<pid_t>(rest.substr(0, end))) pids.push_back(*pid);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return pids;
}

Result<std::vector<std::string>> Cgroup::children() const {
    const Fd listing{::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!listing) return Error::from_errno(errno, "listing " + directory_);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries{::fdopendir(::dup(listing.get())), ::closedir};
    if (!entries) return Error::from_errno(errno, "listing " + directory_);
    std::vector<std::string> out;
    while (const auto* entry = ::readdir(entries.get()))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            out.push_back((is_root() ? "" : path_) + "/" + entry->d_name);
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace penstock
