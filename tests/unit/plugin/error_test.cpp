// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "catch.hpp"

#include <cstdio>
#include <cstring>

using namespace penstock;

namespace {

Error converted(std::int32_t code, const char* message, int sys_errno = 0, std::uint32_t retry = 0) {
    penstock_error error{};
    error.struct_size = sizeof error;
    error.sys_errno = sys_errno;
    error.retry_after_ms = retry;
    std::snprintf(error.message, sizeof error.message, "%s", message);
    return from_error(code, error);
}

} // namespace

TEST_CASE("each code of the contract has its own in the host") {
    const auto [code, expected] =
        GENERATE(table<std::int32_t, ErrorCode>({{PENSTOCK_E_GONE, ErrorCode::gone},
                                                 {PENSTOCK_E_NOT_PRESENT, ErrorCode::unsupported},
                                                 {PENSTOCK_E_UNSUPPORTED, ErrorCode::unsupported},
                                                 {PENSTOCK_E_DENIED, ErrorCode::denied},
                                                 {PENSTOCK_E_BUSY, ErrorCode::busy},
                                                 {PENSTOCK_E_TIMEOUT, ErrorCode::timeout},
                                                 {PENSTOCK_E_MALFORMED, ErrorCode::malformed},
                                                 {PENSTOCK_E_PARTIAL, ErrorCode::partial},
                                                 {PENSTOCK_E_CONFLICT, ErrorCode::conflict},
                                                 {PENSTOCK_E_INTERNAL, ErrorCode::internal}}));
    CHECK(converted(code, "why").code() == expected);
    CHECK(converted(code, "why").text() == "why");
}

TEST_CASE("errno is kept where it means what the code says") {
    const auto error = converted(PENSTOCK_E_DENIED, "opening /x", EACCES);
    CHECK(error.sys_errno() == EACCES);
    CHECK(error.text() == "opening /x: Permission denied (EACCES)");
}

TEST_CASE("the code wins over errno, which is said in words") {
    const auto error = converted(PENSTOCK_E_BUSY, "opening /x", EACCES);
    CHECK(error.code() == ErrorCode::busy);
    CHECK(error.text() == "opening /x: Permission denied (EACCES)");
}

TEST_CASE("errno is not said twice") {
    CHECK(converted(PENSTOCK_E_DENIED, "opening /x: Permission denied", EACCES).text() ==
          "opening /x: Permission denied");
}

TEST_CASE("a number that is no errno is left out") {
    for (const int number : {99999, -1, INT32_MIN}) CHECK(converted(PENSTOCK_E_DENIED, "x", number).text() == "x");
}

TEST_CASE("a message is printable, ends with its array, and is never missing") {
    CHECK(converted(PENSTOCK_E_GONE, "a\x1b[31m\xff").text() == "a\\x1b[31m\\xff");
    CHECK(!converted(PENSTOCK_E_GONE, "").text().empty());
    penstock_error error{};
    std::memset(error.message, 'x', sizeof error.message);
    CHECK(from_error(PENSTOCK_E_GONE, error).text() == std::string(248, 'x'));
}

TEST_CASE("a code that the contract does not have is a defect, and is named") {
    for (const std::int32_t code : {-11, -99, 42}) {
        const auto error = converted(code, "why");
        CHECK(error.code() == ErrorCode::internal);
        CHECK(error.text().find(std::to_string(code)) != std::string::npos);
    }
}

TEST_CASE("when to try again is advice") {
    CHECK(converted(PENSTOCK_E_BUSY, "x", 0, 250).next() == "try again in 250 ms");
}
