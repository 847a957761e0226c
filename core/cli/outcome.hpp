// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session.hpp"
#include "enforce/limiter.hpp"

#include <vector>

namespace penstock {

// What set and clear have done, or would do.
void print_outcomes(Session& session, const Instance& instance, const std::vector<Outcome>& outcomes, bool json,
                    bool dry_run);

} // namespace penstock
