// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace penstock::kvm {

// A QEMU command line, as far as it is needed. Everything in it is its owner's choice, names and paths included.
struct CommandLine {
    std::string program;
    std::string name; // empty: none given
    std::string uuid; // lower case; empty: none given
    bool debug_threads = false;
    bool xen = false;                   // serves a Xen domain
    bool no_machine = false;            // libvirt starts such a one to ask for its capabilities
    bool control_fd = false;            // a QMP monitor on a descriptor that was passed in: libvirt does that
    std::vector<std::string> qmp_paths; // sockets that QEMU listens on
    std::vector<Options> drives;        // -drive, -hda and so on
    std::vector<Options> blockdevs;
    std::vector<Options> devices;
    std::vector<std::string> iothreads;

    // What does not fit QEMU's grammar: the more, the less this is a QEMU.
    std::size_t unknown_options = 0;
    std::size_t positional = 0;
    std::size_t machine_options = 0; // options that only a machine emulator has

    const Options* device(std::string_view id) const;
};

// `text` is /proc/PID/cmdline: words that end in NUL.
CommandLine parse_command_line(std::string_view text);

} // namespace penstock::kvm
