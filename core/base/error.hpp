// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/system/result.hpp>

#include <cerrno>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock {

// What kind of failure it is; decides the exit code and what a caller may ignore.
enum class ErrorCode {
    gone,        // the instance, process, device or cgroup ended meanwhile
    not_found,   // no such name
    invalid,     // bad input of a person: value, option, file
    refused,     // possible, but not allowed without --force or --adopt
    unsupported, // this engine, kernel or hypervisor cannot do it
    conflict,    // contradicts another limit
    denied,      // permission
    busy,        // someone else holds the resource
    timeout,     // the deadline passed
    malformed,   // the kernel, a guest or a file said what it should not
    partial,     // some of it was done or read, and the rest was not
    system,      // a system call failed otherwise
    internal,    // a defect of ours
};

std::string_view name(ErrorCode code);

// A failure as a value: what went wrong, in which doing (outermost first), errno, and what to do next.
class Error {
public:
    Error() = default;
    Error(ErrorCode code, std::string message) : code_{code}, message_{std::move(message)} {}

    // A failed system call: `message` says what was being done and on what; the code follows from errno.
    static Error from_errno(int sys_errno, std::string message);

    // Wraps: "setting the limit of db1:vda: " + what it was.
    Error within(std::string doing) &&;
    // One sentence in the imperative: what the reader can do about it.
    Error advise(std::string next) &&;

    ErrorCode code() const { return code_; }
    int sys_errno() const { return sys_errno_; }
    const std::string& next() const { return next_; }

    // "setting the limit of db1:vda: writing /sys/fs/cgroup/x/io.max: Permission denied (EACCES)"
    std::string text() const;

private:
    ErrorCode code_ = ErrorCode::internal;
    int sys_errno_ = 0;
    std::string message_;
    std::vector<std::string> doing_; // innermost first
    std::string next_;
};

std::ostream& operator<<(std::ostream& out, const Error& error); // text()

template <class T = void>
using Result = boost::system::result<T, Error>;

// boost::system::result calls this where value() is taken of a failure: a defect, so it ends the program.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

} // namespace penstock

// Returns the error of `result`, wrapped, where it is one.
#define PENSTOCK_TRY(result, doing)                                                                                    \
    do {                                                                                                               \
        if (auto& try_result = (result); !try_result) return std::move(try_result.error()).within(doing);              \
    } while (false)
