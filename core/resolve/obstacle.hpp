// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace penstock {

// Why something cannot work, and what would make it work.
struct Obstacle {
    std::string reason;
    std::string remedy;
};

} // namespace penstock
