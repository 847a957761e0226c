// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>

namespace penstock {

std::string_view name(ErrorCode code) {
    switch (code) {
    case ErrorCode::gone: return "gone";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::refused: return "refused";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::conflict: return "conflict";
    case ErrorCode::denied: return "denied";
    case ErrorCode::busy: return "busy";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::malformed: return "malformed";
    case ErrorCode::partial: return "partial";
    case ErrorCode::system: return "system";
    case ErrorCode::internal: return "internal";
    }
    return "internal";
}

namespace {

// A vanished process reads as ESRCH, a vanished cgroup, device or file as ENOENT or ENODEV.
ErrorCode code_of(int sys_errno) {
    switch (sys_errno) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ESRCH: return ErrorCode::gone;
    case EACCES:
    case EPERM:
    case EROFS: return ErrorCode::denied;
    case EBUSY: return ErrorCode::busy;
    case ETIMEDOUT:
    case EAGAIN: return ErrorCode::timeout;
    case EOPNOTSUPP:
    case ENOSYS: return ErrorCode::unsupported;
    default: return ErrorCode::system;
    }
}

} // namespace

Error Error::from_errno(int sys_errno, std::string message) {
    Error error{code_of(sys_errno), std::move(message)};
    error.sys_errno_ = sys_errno;
    return error;
}

Error Error::within(std::string doing) && {
    doing_.push_back(std::move(doing));
    return std::move(*this);
}

Error Error::advise(std::string next) && {
    next_ = std::move(next);
    return std::move(*this);
}

std::string Error::text() const {
    std::string out;
    for (auto it = doing_.rbegin(); it != doing_.rend(); ++it) out += *it + ": ";
    out += message_;
    if (sys_errno_ != 0) {
        const char* symbol = strerrorname_np(sys_errno_);
        out += std::string{": "} + strerrordesc_np(sys_errno_) + " (" + (symbol != nullptr ? symbol : "?") + ")";
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const Error& error) { return out << error.text(); }

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
    std::fprintf(stderr, "penstock: defect at %s:%u: %s\n", where.file_name(), static_cast<unsigned>(where.line()),
                 error.text().c_str());
    std::abort();
}

} // namespace penstock
