// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"
#include "model/actor.hpp"
#include "model/instance.hpp"
#include "resolve/backing_chain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// A whole process that has to change its cgroup, with all of its threads.
struct ProcessMove {
    pid_t pid = 0;
    std::uint64_t start_time = 0;
    std::string from;
    bool operator==(const ProcessMove&) const = default;
};

// Which cgroup stands for an instance, and what has to happen before a limit there acts on it.
struct Placement {
    Hierarchy hierarchy;
    std::string cgroup;                 // where the limit is written
    bool create = false;                // it has to be made
    std::vector<ProcessMove> moves;     // processes that are elsewhere now
    std::vector<std::string> enable_io; // v2: cgroups that must pass the io controller on, from the top
    std::string keep_io;                // v2: the systemd unit that must keep the controller on; empty: none
    bool charges_memory = false;        // v2: the memory controller is on in this very cgroup, not only above it
    std::string adopt;                  // not empty: only with --adopt, for this reason
    std::vector<std::string> notes;     // what the limit does not reach
    std::optional<Obstacle> obstacle;   // no cgroup of this instance can be limited
};

Placement place(const Roots& roots, const Hierarchy& hierarchy, const Instance& instance,
                std::span<const Actor> actors);

} // namespace penstock
