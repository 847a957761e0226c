// SPDX-License-Identifier: Apache-2.0
#include "check/check.hpp"

namespace penstock::check {

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& group : {library_cases(), lifecycle_cases(), record_cases(), limit_cases(), deadline_cases(),
                              race_cases(), fuzz_cases()})
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

} // namespace penstock::check
