// SPDX-License-Identifier: Apache-2.0
#include "resolve/systemd_unit.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace penstock {

bool systemd_runs(const Roots& roots) {
    struct stat status {};
    return ::lstat((roots.run + "/systemd/system").c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string unit_of(std::string_view cgroup) {
    static constexpr std::array<std::string_view, 6> suffixes{".scope",  ".service", ".slice",
                                                              ".socket", ".mount",   ".swap"};
    std::string unit;
    while (!cgroup.empty()) {
        cgroup.remove_prefix(1); // the slash
        const auto name = cgroup.substr(0, cgroup.find('/'));
        const bool is_unit = std::any_of(suffixes.begin(), suffixes.end(), [&](auto s) { return name.ends_with(s); });
        if (!is_unit) break; // what a unit keeps below its own cgroup is no unit, whatever it is called
        unit = name;
        cgroup.remove_prefix(name.size());
    }
    return unit;
}

bool keeps_io(const Roots& roots, const std::string& unit) {
    // systemd writes what it is told at run time here: of transient units to `transient`, of others to
    // `system.control`.
    for (const auto* directory : {"/systemd/transient/", "/systemd/system.control/"})
        if (::access((roots.run + directory + unit + ".d/50-IOAccounting.conf").c_str(), F_OK) == 0) return true;
    return unit == anchor_unit && ::access((roots.run + "/systemd/transient/" + unit).c_str(), F_OK) == 0;
}

} // namespace penstock
