// SPDX-License-Identifier: Apache-2.0
#include "throttle.hpp"

#include "catch.hpp"

using namespace penstock;
using namespace penstock::kvm;

namespace {

struct Wanted : penstock_limits {
    Wanted() : penstock_limits{} {}
    Wanted& rate_of(unsigned r, std::uint64_t value) {
        present |= PENSTOCK_LIMIT_RATE(r);
        rate[r] = value;
        return *this;
    }
    Wanted& burst_of(unsigned r, std::uint64_t value, std::uint64_t seconds = 0) {
        present |= PENSTOCK_LIMIT_BURST(r);
        burst[r] = value;
        burst_seconds[r] = seconds;
        return *this;
    }
    Wanted& size_of(std::uint64_t value) {
        present |= PENSTOCK_LIMIT_IO_SIZE;
        io_size = value;
        return *this;
    }
    Wanted& group_of(std::string_view name) {
        present |= PENSTOCK_LIMIT_GROUP;
        group = sdk::str(name);
        return *this;
    }
};

Throttle after(const Wanted& wanted, Throttle now = {}) {
    const auto status = merge(now, wanted);
    INFO(status.message());
    REQUIRE(status.ok());
    return now;
}

sdk::Status refusal(const Wanted& wanted, const Throttle& now = {}) {
    auto copy = now;
    auto status = merge(copy, wanted);
    CHECK_FALSE(status.ok());
    CHECK(copy == now);
    return status;
}

constexpr std::uint64_t most = throttle_maximum;

} // namespace

TEST_CASE("a change leaves what it does not name as it is") {
    const auto first = after(Wanted{}
                                 .rate_of(PENSTOCK_WRITE_BPS, 10)
                                 .burst_of(PENSTOCK_WRITE_BPS, 20, 5)
                                 .rate_of(PENSTOCK_READ_IOPS, 7)
                                 .size_of(4096));
    const auto second = after(Wanted{}.rate_of(PENSTOCK_WRITE_BPS, 15), first);
    CHECK(second.rate == std::array<std::uint64_t, 6>{0, 15, 0, 7, 0, 0});
    CHECK(second.burst[PENSTOCK_WRITE_BPS] == 20);
    CHECK(second.seconds[PENSTOCK_WRITE_BPS] == 5);
    CHECK(second.io_size == 4096);
    CHECK(after(Wanted{}.rate_of(PENSTOCK_WRITE_BPS, 15), second) == second);
}

TEST_CASE("total excludes read and write, for rates and for bursts") {
    const auto with_write = after(Wanted{}.rate_of(PENSTOCK_WRITE_BPS, 10));
    const auto conflict = refusal(Wanted{}.rate_of(PENSTOCK_TOTAL_BPS, 5), with_write);
    CHECK(conflict.code() == PENSTOCK_E_CONFLICT);
    CHECK(conflict.message() == "QEMU takes either total_bps or write_bps: clear write_bps first");
    const auto with_total = after(Wanted{}.rate_of(PENSTOCK_TOTAL_IOPS, 10));
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_IOPS, 5), with_total).message() ==
          "QEMU takes either total_iops or read_iops: clear total_iops first");
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_TOTAL_BPS, 5).rate_of(PENSTOCK_READ_BPS, 5)).message() ==
          "QEMU takes either total_bps or read_bps, not both");
    CHECK_NOTHROW(after(Wanted{}.rate_of(PENSTOCK_TOTAL_IOPS, 5), with_write));
}

TEST_CASE("a burst stands on its limit") {
    CHECK(refusal(Wanted{}.burst_of(PENSTOCK_READ_BPS, 5)).code() == PENSTOCK_E_CONFLICT);
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).burst_of(PENSTOCK_READ_BPS, 4)).code() == PENSTOCK_E_CONFLICT);
    CHECK(after(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).burst_of(PENSTOCK_READ_BPS, 5)).seconds[PENSTOCK_READ_BPS] == 1);
    const auto now = after(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).burst_of(PENSTOCK_READ_BPS, 9));
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, 10), now).code() == PENSTOCK_E_CONFLICT);
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).burst_of(PENSTOCK_READ_BPS, most, 2)).code() ==
          PENSTOCK_E_MALFORMED);
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).burst_of(PENSTOCK_READ_BPS, 9, ~0ULL)).code() ==
          PENSTOCK_E_MALFORMED);
}

TEST_CASE("values are within 1 and 10^15") {
    CHECK(after(Wanted{}.rate_of(PENSTOCK_READ_BPS, 1)).rate[0] == 1);
    CHECK(after(Wanted{}.rate_of(PENSTOCK_READ_BPS, most)).rate[0] == most);
    for (const std::uint64_t value : {std::uint64_t{0}, most + 1, ~std::uint64_t{0}}) {
        CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, value)).code() == PENSTOCK_E_MALFORMED);
        CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_IOPS, 1).burst_of(PENSTOCK_READ_IOPS, value)).code() ==
              PENSTOCK_E_MALFORMED);
        CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_IOPS, 1).size_of(value)).code() == PENSTOCK_E_MALFORMED);
    }
}

TEST_CASE("the size of a request needs an iops limit") {
    CHECK(refusal(Wanted{}.rate_of(PENSTOCK_READ_BPS, 5).size_of(4096)).code() == PENSTOCK_E_CONFLICT);
    CHECK(after(Wanted{}.rate_of(PENSTOCK_TOTAL_IOPS, 5).size_of(4096)).io_size == 4096);
}

TEST_CASE("a group needs a name and a limit") {
    CHECK(refusal(Wanted{}.group_of("g")).code() == PENSTOCK_E_CONFLICT);
    CHECK(refusal(Wanted{}.rate_of(0, 5).group_of("")).code() == PENSTOCK_E_MALFORMED);
    CHECK(refusal(Wanted{}.rate_of(0, 5).group_of(std::string(256, 'g'))).code() == PENSTOCK_E_MALFORMED);
    CHECK(after(Wanted{}.rate_of(0, 5).group_of("g")).group == "g");
}

TEST_CASE("clearing takes along what cannot stand alone, and nothing else") {
    const auto now = after(Wanted{}
                               .rate_of(PENSTOCK_WRITE_BPS, 10)
                               .burst_of(PENSTOCK_WRITE_BPS, 20, 5)
                               .rate_of(PENSTOCK_READ_IOPS, 7)
                               .size_of(4096)
                               .group_of("g"));
    const auto without_burst = without(now, PENSTOCK_LIMIT_BURST(PENSTOCK_WRITE_BPS));
    CHECK(without_burst.rate == now.rate);
    CHECK(without_burst.burst[PENSTOCK_WRITE_BPS] == 0);
    const auto without_write = without(now, PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS));
    CHECK(without_write.burst[PENSTOCK_WRITE_BPS] == 0);
    CHECK(without_write.rate[PENSTOCK_READ_IOPS] == 7);
    CHECK(without_write.group == "g");
    CHECK(without(now, PENSTOCK_LIMIT_RATE(PENSTOCK_READ_IOPS)).io_size == 0);
    CHECK(without(now, PENSTOCK_LIMIT_GROUP).group.empty());
    CHECK(without(now, PENSTOCK_LIMIT_ALL) == Throttle{});
    CHECK(without(now, 0) == now);
}

TEST_CASE("limits and setting say the same") {
    const auto now = after(Wanted{}
                               .rate_of(PENSTOCK_WRITE_BPS, 10)
                               .burst_of(PENSTOCK_WRITE_BPS, 20)
                               .rate_of(PENSTOCK_READ_IOPS, 7)
                               .size_of(4096)
                               .group_of("g"));
    const auto limits = to_limits(now);
    CHECK(limits.present == (PENSTOCK_LIMIT_RATE(1) | PENSTOCK_LIMIT_BURST(1) | PENSTOCK_LIMIT_RATE(3) |
                             PENSTOCK_LIMIT_IO_SIZE | PENSTOCK_LIMIT_GROUP));
    Throttle again;
    REQUIRE(merge(again, limits).ok());
    CHECK(again == now);
    CHECK(to_limits(Throttle{}).present == 0);
}
