// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <cstring>

namespace penstock {
namespace {

ErrorCode code_of(std::int32_t code) {
    switch (code) {
    case PENSTOCK_E_GONE: return ErrorCode::gone;
    case PENSTOCK_E_NOT_PRESENT:
    case PENSTOCK_E_UNSUPPORTED: return ErrorCode::unsupported;
    case PENSTOCK_E_DENIED: return ErrorCode::denied;
    case PENSTOCK_E_BUSY: return ErrorCode::busy;
    case PENSTOCK_E_TIMEOUT: return ErrorCode::timeout;
    case PENSTOCK_E_MALFORMED: return ErrorCode::malformed;
    case PENSTOCK_E_PARTIAL: return ErrorCode::partial;
    case PENSTOCK_E_CONFLICT: return ErrorCode::conflict;
    default: return ErrorCode::internal;
    }
}

// The plugin's code decides; its errno is kept as such where it means the same, and said in words where it does not.
Error with_errno(ErrorCode kind, std::string message, int sys_errno) {
    const char* words = strerrordesc_np(sys_errno); // NULL for a number that is no errno
    if (sys_errno == 0 || words == nullptr || message.find(words) != std::string::npos)
        return {kind, std::move(message)};
    auto kept = Error::from_errno(sys_errno, message);
    if (kept.code() == kind) return kept;
    return {kind, fmt::format("{}: {} ({})", message, words, strerrorname_np(sys_errno))};
}

} // namespace

Error from_error(std::int32_t code, const penstock_error& error) {
    std::string message = printable({error.message, ::strnlen(error.message, sizeof error.message)});
    if (message.empty()) message = "the plugin gave no message";
    if (code > 0 || code < PENSTOCK_E_INTERNAL)
        message = fmt::format("the plugin answered {}, which the contract does not have: {}", code, message);
    auto out = with_errno(code_of(code), std::move(message), error.sys_errno);
    if (error.retry_after_ms != 0) out = std::move(out).advise(fmt::format("try again in {} ms", error.retry_after_ms));
    return out;
}

} // namespace penstock
