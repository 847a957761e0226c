// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "domain_files.hpp"
#include "guest.hpp"

#include <penstock/plugin.hpp>

#include <string>
#include <vector>

namespace penstock::kvm {

// An instance that owns its strings until it is emitted.
struct Instance {
    Guest guest;
    std::string id, name, incarnation, manager, note;
    std::uint32_t state = PENSTOCK_STATE_UNKNOWN;
    std::uint64_t capabilities = 0;
};

// All guests of the host. `complete`: the deadline left time to look at every process.
std::vector<Instance> find_instances(int proc, const DomainFiles& files, const Deadline& deadline, bool& complete);

// False: the host wants no more.
bool emit(const Instance& instance, const sdk::Sink<penstock_instance>& sink);

} // namespace penstock::kvm
