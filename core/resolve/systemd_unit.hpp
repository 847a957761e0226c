// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/roots.hpp"

#include <string>
#include <string_view>

namespace penstock {

// A slice of ours that has no processes. While it is active systemd leaves the io controller on at the root, also for
// cgroups that systemd does not know of: LXC's, and ours.
inline constexpr std::string_view anchor_unit = "penstock.slice";

// Whether systemd is the init system here (sd_booted(3)).
bool systemd_runs(const Roots& roots);

// The systemd unit that the cgroup belongs to: "vm.scope" of "/system.slice/vm.scope/libvirt"; empty: none.
std::string unit_of(std::string_view cgroup);

// Whether the unit has been told already, until the next reboot, to keep the io controller on.
bool keeps_io(const Roots& roots, const std::string& unit);

} // namespace penstock
