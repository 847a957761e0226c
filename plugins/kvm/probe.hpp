// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "domain_files.hpp"

#include <string>
#include <vector>

namespace penstock::kvm {

struct ProbeLine {
    std::uint32_t status = PENSTOCK_PROBE_ABSENT;
    std::string component, version, detail;
};

// What is on this host. Connects to nothing and loads nothing.
std::vector<ProbeLine> probe_host(int proc, const DomainFiles& files, const Deadline& deadline);

} // namespace penstock::kvm
