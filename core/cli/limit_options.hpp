// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "model/limits.hpp"

namespace penstock {

// --read-bps SIZE and so on, as values (set) and as flags (clear).
void add_limit_values(boost::program_options::options_description& options);
void add_limit_flags(boost::program_options::options_description& options);

Result<Limits> limits_from(const Arguments& arguments);
// All fields where none is named.
LimitFields fields_from(const Arguments& arguments);

} // namespace penstock
