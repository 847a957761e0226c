// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check/runner.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::check {

enum class Format : std::uint8_t { text, tap, json, junit };

std::optional<Format> parse_format(std::string_view name);

// What a run found, whole, for the format; `text` is written case by case with line() and ends with this.
std::string report(Format format, const std::string& library, std::uint64_t seed, const std::vector<Outcome>& outcomes);

// One case for people: a line, and one below it for each sentence.
std::string line(const Outcome& outcome);

} // namespace penstock::check
