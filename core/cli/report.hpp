// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <string_view>

namespace penstock {

// "penstock: <what went wrong>" and "  next: <what to do>" on standard error.
void report(const Error& error);
void warn(std::string_view text);
void warn(const Error& error);

} // namespace penstock
