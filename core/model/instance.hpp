// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace penstock {

// Names an instance across restarts (kind, id) and one life of it (incarnation).
struct InstanceKey {
    std::string kind; // "kvm", "xen", "lxc"
    std::string id;   // uuid where there is one
    std::string incarnation;
    bool operator==(const InstanceKey&) const = default;
};

enum class InstanceState : std::uint8_t { unknown, running, paused, stopped };

// A virtual machine or container, as its plugin reports it.
struct Instance {
    InstanceKey key;
    std::string name; // as its owner wrote it: hostile
    InstanceState state = InstanceState::unknown;
    pid_t main_pid = 0;           // 0: none
    std::uint64_t main_start = 0; // clock ticks after boot
    pid_t root_pid = 0;           // paths are seen below /proc/<root_pid>/root; 0: the host's own
    std::string cgroup_hint;
    std::string manager; // "libvirt", "lxc"; empty: started by hand
    std::string note;
    bool native_limit = false;
    bool managed = false;     // a manager owns its cgroup
    bool unreachable = false; // its control channel did not answer; note says why
};

} // namespace penstock
