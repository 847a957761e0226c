// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

enum class ActorRole : std::uint8_t {
    unknown,
    emulator,
    iothread,
    vcpu,
    vhost,
    tapdisk,
    blkback,
    container_init,
    container_task
};
enum class Answer : std::uint8_t { unknown, yes, no };

// A process or thread of the host that submits the I/O of an instance.
struct Actor {
    ActorRole role = ActorRole::unknown;
    pid_t pid = 0;
    pid_t tid = 0;                      // equal to pid for a whole process
    std::uint64_t start_time = 0;       // clock ticks after boot
    Answer exclusive = Answer::unknown; // serves this instance alone
    Answer movable = Answer::unknown;
    std::vector<std::string> disks; // targets; empty: every disk
    std::string name;               // comm
};

} // namespace penstock
