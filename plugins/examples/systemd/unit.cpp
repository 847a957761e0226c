// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#include <penstock/text.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace systemd {
namespace {

using penstock::sdk::Fd;

constexpr std::size_t processes_cap = 1U << 20; // bytes of one cgroup.procs
constexpr int depth_cap = 16;                   // a tenant with a delegated cgroup may nest at will

bool is_unit(std::string_view name) { return name.ends_with(".service") || name.ends_with(".scope"); }

// The folders in it, in order.
std::vector<std::string> folders_in(const std::string& path) {
    std::vector<std::string> names;
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) return names;
    while (const auto* entry = ::readdir(folder))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    ::closedir(folder);
    std::sort(names.begin(), names.end());
    return names;
}

void add_processes(const std::string& path, int depth, std::vector<int>& out) {
    const auto text = penstock::sdk::read_file(AT_FDCWD, (path + "/cgroup.procs").c_str(), processes_cap);
    if (text)
        for (const auto line : penstock::sdk::split(*text, '\n'))
            if (const auto pid = penstock::sdk::number<int>(line); pid && *pid > 0) out.push_back(*pid);
    if (depth < depth_cap)
        for (const auto& name : folders_in(path)) add_processes(path + "/" + name, depth + 1, out);
}

bool walk(const std::string& tree, const std::string& cgroup, int depth, const std::function<bool(const Unit&)>& use) {
    for (const auto& name : folders_in(tree + cgroup)) {
        const auto below = cgroup + "/" + name;
        if (!is_unit(name)) {
            if (depth < depth_cap && !walk(tree, below, depth + 1, use)) return false;
        } else if (const auto unit = read_unit(tree, below); unit && !use(*unit)) {
            return false;
        }
    }
    return true;
}

} // namespace

std::optional<std::string> unit_tree(const std::string& sys) {
    for (const auto* place : {"/fs/cgroup", "/fs/cgroup/systemd", "/fs/cgroup/unified"})
        if (::access((sys + place + "/system.slice").c_str(), F_OK) == 0) return sys + place;
    return std::nullopt;
}

void for_each_unit(const std::string& tree, const std::function<bool(const Unit&)>& use) { walk(tree, "", 0, use); }

std::optional<Unit> read_unit(const std::string& tree, const std::string& cgroup) {
    struct stat status {};
    if (::stat((tree + cgroup).c_str(), &status) != 0) return std::nullopt;
    Unit unit{cgroup.substr(cgroup.rfind('/') + 1), cgroup, status.st_ino, {}};
    add_processes(tree + cgroup, 0, unit.processes);
    if (unit.processes.empty()) return std::nullopt;
    return unit;
}

} // namespace systemd
