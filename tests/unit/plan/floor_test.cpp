// SPDX-License-Identifier: Apache-2.0
#include "plan/floor.hpp"

#include "catch.hpp"

using namespace penstock;

TEST_CASE("a limit by which one request of 1 MiB waits more than ten seconds is refused with the arithmetic") {
    Limits limits;
    limits[Rate::write_bps] = 104857; // 1048576 / 104857 = 10.00001 s
    const auto problem = floor_problem(limits);
    REQUIRE(problem);
    CHECK(problem->code() == ErrorCode::refused);
    CHECK(problem->text().find("1048576 B / 104857 B/s") != std::string::npos);
    CHECK(problem->next().find("--force") != std::string::npos);

    limits[Rate::write_bps] = 104858;
    CHECK(!floor_problem(limits));
}

TEST_CASE("one request a second is slow, but no guest gives its disk up for it") {
    Limits limits;
    limits[Rate::read_iops] = 1;
    CHECK(!floor_problem(limits));
}

TEST_CASE("an iops limit in small units counts a large request several times") {
    Limits limits;
    limits[Rate::total_iops] = 10;
    limits.io_size = 4096; // 256 units / 10 per second = 25.6 s
    const auto problem = floor_problem(limits);
    REQUIRE(problem);
    CHECK(worst_wait_seconds(limits) == Approx(25.6));
}
