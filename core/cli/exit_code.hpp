// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

namespace penstock {

// Documented in docs/cli.md and in penstock(8); part of the interface.
enum class ExitCode : int {
    ok = 0,
    failure = 1,      // a system call, a file, a peer
    usage = 2,        // bad option or value
    not_found = 3,    // no such instance or disk
    gone = 4,         // it ended meanwhile
    refused = 5,      // cannot or must not be done: unsupported, conflict, floor; nothing was changed
    not_in_force = 6, // a limit of ours is ineffective, drifted or failed
    denied = 7,       // permission
};

ExitCode exit_code(const Error& error);

} // namespace penstock
