// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace penstock {

// doctor --fix: makes devices share out by weight. doctor --undo: puts back what was there.
Result<ExitCode> run_fix(const Arguments& arguments);
Result<ExitCode> run_undo(const Arguments& arguments);

} // namespace penstock
