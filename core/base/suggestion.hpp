// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace penstock {

// "did you mean 'db1'?" for the nearest of `known`; empty where none is near.
std::string suggest(std::string_view word, std::span<const std::string> known);

} // namespace penstock
