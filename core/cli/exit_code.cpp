// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.hpp"

namespace penstock {

ExitCode exit_code(const Error& error) {
    switch (error.code()) {
    case ErrorCode::gone: return ExitCode::gone;
    case ErrorCode::not_found: return ExitCode::not_found;
    case ErrorCode::invalid: return ExitCode::usage;
    case ErrorCode::refused:
    case ErrorCode::unsupported:
    case ErrorCode::conflict: return ExitCode::refused;
    case ErrorCode::denied: return ExitCode::denied;
    case ErrorCode::busy:
    case ErrorCode::timeout:
    case ErrorCode::malformed:
    case ErrorCode::partial:
    case ErrorCode::system:
    case ErrorCode::internal: return ExitCode::failure;
    }
    return ExitCode::failure;
}

} // namespace penstock
