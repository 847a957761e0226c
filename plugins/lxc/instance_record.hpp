// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup.hpp"
#include "container.hpp"
#include "process.hpp"

#include <penstock/plugin.hpp>

namespace penstock::lxc {

// What is told of a container beyond what finding it gave.
struct InstanceFacts {
    std::uint32_t state = PENSTOCK_STATE_UNKNOWN;
    std::string manager;
    std::string note;
};

InstanceFacts describe(const Processes& processes, const CgroupMounts& mounts, const Container& container);

// False: the host wants no more.
bool emit(const Container& container, const InstanceFacts& facts, const sdk::Sink<penstock_instance>& sink);

} // namespace penstock::lxc
