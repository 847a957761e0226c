// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check/check.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace penstock::check {

struct RunOptions {
    std::string library;
    std::uint64_t seed = 1;
    int seconds = 20; // that one case may take
};

enum class Result : std::uint8_t { passed, skipped, failed };

struct Outcome {
    Case what;
    Result result = Result::failed;
    std::vector<std::string> sentences; // what is wrong, or why it was skipped
    double seconds = 0;
};

// Runs the case in a process of its own, so that whatever the plugin does ends with it. What the plugin prints is
// dropped.
Outcome run_case(const Case& what, const RunOptions& options);

} // namespace penstock::check
