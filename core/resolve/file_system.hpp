// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace penstock {

// Who issues the I/O of the files in a file system, as far as it matters to a cgroup limit.
enum class FileSystemKind : std::uint8_t {
    device,  // the kernel, to one block device, in the name of who reads and writes
    btrfs,   // the same, to one or more devices
    overlay, // another file system, that of its upper directory
    memory,  // nobody: there is no disk I/O
    network, // a server
    fuse,    // a process of the host that is not the instance's
    zfs,     // the kernel, from threads of its own
};

// By the type in /proc/PID/mountinfo.
FileSystemKind file_system_kind(std::string_view type);

// Whether writes that go through the page cache are charged, when they are written back, to the cgroup that made them
// (cgroup v2). Kernel: file systems that set SB_I_CGROUPWB; see Documentation/admin-guide/cgroup-v2.rst, "Writeback".
bool charges_writeback(std::string_view type);

} // namespace penstock
