// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store.hpp"

#include <penstock/plugin.hpp>

#include <string>
#include <vector>

namespace penstock::xen {

struct ProbeLine {
    std::uint32_t status = PENSTOCK_PROBE_ABSENT;
    std::string component, version, detail;
};

// Is this a dom0, and does its xenstored answer?
std::vector<ProbeLine> probe_host(int proc, int sys, Store& store, const sdk::Call& call);

} // namespace penstock::xen
