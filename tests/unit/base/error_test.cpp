// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("an error says what was being done, on what, and its errno by name") {
    const auto error = Error::from_errno(EACCES, "writing /x/io.max").within("setting the limit of db1:vda");
    CHECK(error.text() == "setting the limit of db1:vda: writing /x/io.max: Permission denied (EACCES)");
    CHECK(error.code() == ErrorCode::denied);
    CHECK(error.sys_errno() == EACCES);
}

TEST_CASE("what has vanished is gone, whichever errno the kernel chose") {
    for (const int e : {ENOENT, ENODEV, ENXIO, ESRCH}) CHECK(Error::from_errno(e, "x").code() == ErrorCode::gone);
}

TEST_CASE("the outermost doing comes first") {
    const auto error = Error{ErrorCode::system, "c"}.within("b").within("a");
    CHECK(error.text() == "a: b: c");
}
