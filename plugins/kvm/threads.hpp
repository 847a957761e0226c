// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "guest.hpp"

#include <penstock/plugin.hpp>
#include <penstock/process.hpp>

#include <functional>
#include <string>
#include <vector>

namespace penstock::kvm {

struct Thread {
    sdk::ProcessStat stat;
    int pid = 0; // of the process
    std::uint32_t role = PENSTOCK_ROLE_UNKNOWN;
    std::string iothread; // its id, for an iothread
};

// What a thread's name says of it, with QEMU's debug-threads=on: "IO io0", "CPU 0/KVM"; a kernel's "vhost-4711".
std::uint32_t role_of(std::string_view comm, int pid);

// The threads of a QEMU that submit I/O, apart from its main thread and the workers, which come and go with it.
std::vector<Thread> find_threads(int proc, const Guest& guest);

// "IO iothread-with-a-long-id" is cut to 15 characters: the ids that a thread of this name can belong to.
std::vector<std::string> iothreads_named(const std::vector<std::string>& ids, std::string_view comm);

} // namespace penstock::kvm
