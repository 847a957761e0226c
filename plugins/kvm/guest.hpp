// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <penstock/process.hpp>

#include <optional>
#include <string>

namespace penstock::kvm {

// A QEMU process that was found.
struct Guest {
    sdk::ProcessStat process;
    CommandLine command;
    unsigned uid = 0;

    std::string name() const;
    std::string id() const; // the same after a restart, where the owner named it
    sdk::Incarnation incarnation() const { return {process.pid, process.start}; }
};

// Nothing: no process of this number, or no QEMU, or it serves Xen. Vanishing half-way is normal.
std::optional<Guest> read_guest(int proc, int pid);

// The part that can be tested without a process: does this command line belong to a QEMU machine? `executable` is
// where /proc/PID/exe points to, empty where that cannot be read.
bool is_qemu(const CommandLine& command, std::string_view executable);

// From the first bytes of a command line: worth a closer look?
bool may_be_qemu(std::string_view beginning);

} // namespace penstock::kvm
