// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"
#include "cgroup/hierarchy.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// An open cgroup. Held by its directory, so that one of the same name that is made later is never taken for it.
class Cgroup {
public:
    // `path` as in /proc/PID/cgroup. GONE where it is not there.
    static Result<Cgroup> open(const Hierarchy& hierarchy, const std::string& path);

    CgroupVersion version() const { return version_; }
    const std::string& path() const { return path_; }
    const std::string& directory() const { return directory_; } // for people
    std::uint64_t inode() const { return inode_; }              // differs after the directory was made anew
    bool is_root() const { return path_ == "/"; }

    Result<std::string> read(const std::string& file) const;
    Result<void> write(const std::string& file, std::string_view text) const;
    bool has(const std::string& file) const;

    // Processes of this cgroup alone. On v1 a process is listed where any of its threads is.
    Result<std::vector<pid_t>> processes() const;
    // Paths of the cgroups right below.
    Result<std::vector<std::string>> children() const;

private:
    Cgroup(CgroupVersion version, std::string path, std::string directory, Fd fd, std::uint64_t inode)
        : version_{version}, path_{std::move(path)}, directory_{std::move(directory)}, fd_{std::move(fd)}, inode_{
                                                                                                               inode} {}

    CgroupVersion version_;
    std::string path_;
    std::string directory_;
    Fd fd_;
    std::uint64_t inode_;
};

// "/a/b" of "/a/b/c"; "/" of "/a" and of "/".
std::string parent_path(const std::string& path);

} // namespace penstock
