// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "enforce/record.hpp"
#include "observe/finding.hpp"
#include "resolve/inventory.hpp"

#include <span>

namespace penstock {

// Limits of ours that have outlived what they were set on: instances that have ended, devices that have gone.
void check_records(const Roots& roots, std::span<const InstanceRecord> records, std::span<const InstanceView> running,
                   Findings& findings);

} // namespace penstock
