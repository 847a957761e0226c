// SPDX-License-Identifier: Apache-2.0
#include "plan/descent.hpp"

#include "catch.hpp"
#include "cgroup/io_max.hpp"
#include "cgroup/throttle_v1.hpp"

#include <map>

using namespace penstock;

namespace {

constexpr DeviceNumber device{7, 3};

Limits with(std::initializer_list<std::pair<Rate, std::uint64_t>> values) {
    Limits limits;
    for (const auto& [rate, value] : values) limits[rate] = value;
    return limits;
}

// What a write leaves, read with the kernel's own file formats.
Limits applied(CgroupVersion version, const Limits& now, const ControlWrite& write) {
    if (version == CgroupVersion::v2) return parse_io_max(write.text, device);
    auto after = now;
    for (const auto rate : cgroup_rates)
        if (write.file == throttle_v1_file(rate)) {
            after[rate] = parse_throttle_v1(write.text, device);
            if (after[rate] == 0U) after[rate].reset();
        }
    return after;
}

// The arithmetic of Linux 6.1 (block/blk-throttle.c) for one rate and one direction, in ticks of the clock, with more
// requests waiting than any limit lets through. One unit is one byte or one request.
class Throttle {
public:
    Throttle(std::int64_t ticks_per_second, std::uint64_t rate) : hz_{ticks_per_second}, rate_{rate} {}

    // Lets time pass up to `tick`; each tick the kernel lets through what is allowed. False: it has let a burst
    // through.
    bool run_to(std::int64_t tick) {
        for (; now_ < tick; ++now_)
            if (!let_through()) return false;
        return true;
    }
    bool write(std::uint64_t rate) {
        carry_ += allowed(now_ - start_) - used_;
        start_ = now_;
        used_ = 0;
        rate_ = rate;
        return let_through();
    }

private:
    std::int64_t slice() const { return hz_ / 10; }
    std::int64_t allowed(std::int64_t ticks) const { return static_cast<std::int64_t>(rate_) * ticks / hz_; }
    bool let_through() {
        const auto elapsed = now_ - start_;
        const auto rounded = (elapsed / slice() + 1) * slice();
        const auto limit = allowed(rounded) + carry_;
        if (limit < 0) return false; // unsigned in the kernel: everything passes
        if (used_ >= limit) return true;
        used_ = limit;
        const auto trimmed = elapsed / slice() * slice();
        const auto trim = allowed(trimmed) + carry_;
        if (trimmed == 0 || trim <= 0) return true;
        carry_ = 0;
        used_ = std::max<std::int64_t>(0, used_ - trim);
        start_ += trimmed;
        return true;
    }

    std::int64_t hz_;
    std::uint64_t rate_;
    std::int64_t now_ = 0, start_ = 0, used_ = 0, carry_ = 0;
};

// Carries a descent out on the model above, beginning at a tick of the old limit's life and writing `wait` ticks apart.
bool bursts(std::int64_t hz, std::uint64_t from, std::uint64_t to, std::int64_t begin, std::int64_t wait) {
    Throttle kernel{hz, from};
    if (!kernel.run_to(begin)) return true;
    auto tick = begin;
    Limits now = with({{Rate::write_iops, from}});
    for (const auto& rung : descent(CgroupVersion::v2, device, now, with({{Rate::write_iops, to}}))) {
        if (rung.timed) tick += wait;
        if (!kernel.run_to(tick)) return true;
        now = applied(CgroupVersion::v2, now, rung.write);
        if (!kernel.write(*now[Rate::write_iops])) return true;
    }
    return !kernel.run_to(tick + 3 * hz);
}

} // namespace

TEST_CASE("the model bursts where the kernel does: a limit lowered at once") {
    Throttle kernel{250, 1000};
    REQUIRE(kernel.run_to(251));
    CHECK(!kernel.write(10));
    Throttle same{250, 1000};
    REQUIRE(same.run_to(251));
    CHECK(same.write(1000));
}

TEST_CASE("no descent bursts, wherever in its slice it begins, at any clock of the kernel") {
    for (const std::int64_t hz : {100, 250, 300, 1000})
        for (const auto& [from, to] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{{1000, 10},
                                                                                                     {100, 50},
                                                                                                     {1000, 1},
                                                                                                     {12, 9},
                                                                                                     {10, 5},
                                                                                                     {5, 2},
                                                                                                     {9, 1},
                                                                                                     {23, 7},
                                                                                                     {41, 3},
                                                                                                     {10000000, 1000}})
            for (std::int64_t begin = hz; begin < hz + hz / 5; ++begin)
                // 78 to 88 ms, in whole ticks that have passed at least and at most.
                for (auto wait = 78 * hz / 1000; wait <= 88 * hz / 1000 + (hz > 100 ? 1 : 0); ++wait) {
                    INFO(hz << " ticks: " << from << " to " << to << " from tick " << begin << ", " << wait
                            << " apart");
                    REQUIRE(!bursts(hz, from, to, begin, wait));
                }
}

TEST_CASE("raising, setting, lifting and keeping need no descent") {
    const auto ten = with({{Rate::write_bps, 10000000}});
    for (const auto version : {CgroupVersion::v1, CgroupVersion::v2}) {
        CHECK(descent(version, device, ten, with({{Rate::write_bps, 20000000}})).empty());
        CHECK(descent(version, device, {}, ten).empty());
        CHECK(descent(version, device, ten, {}).empty());
        CHECK(descent(version, device, ten, ten).empty());
        CHECK(descent(version, device, ten, with({{Rate::write_bps, 10000000}, {Rate::read_iops, 5}})).empty());
    }
}

TEST_CASE("v2: 10 MB/s to 1 MB/s takes two steps after the write that starts the slice") {
    const auto rungs = descent(CgroupVersion::v2, device, with({{Rate::write_bps, 10000000}}),
                               with({{Rate::write_bps, 1000000}, {Rate::read_iops, 300}}));
    REQUIRE(rungs.size() == 3);
    CHECK(rungs[0].write.text == "7:3 rbps=max wbps=10000000 riops=max wiops=max");
    CHECK(!rungs[0].timed);
    CHECK(rungs[1].write.text == "7:3 rbps=max wbps=3000000 riops=max wiops=max");
    CHECK(rungs[1].undo == rungs[0].write);
    CHECK(rungs[2].write.text == "7:3 rbps=max wbps=1000000 riops=300 wiops=max");
    CHECK(rungs[2].timed);
}

TEST_CASE("v1: each rate has its own steps, and what is raised comes last") {
    const auto now = with({{Rate::write_bps, 10000000}, {Rate::read_iops, 100}, {Rate::write_iops, 50}});
    const auto after = with({{Rate::write_bps, 5000000}, {Rate::read_iops, 50}, {Rate::write_iops, 70}});
    std::vector<std::string> seen;
    auto at = now;
    for (const auto& rung : descent(CgroupVersion::v1, device, now, after)) {
        CHECK(applied(CgroupVersion::v1, applied(CgroupVersion::v1, at, rung.write), rung.undo) == at);
        at = applied(CgroupVersion::v1, at, rung.write);
        seen.push_back((rung.timed ? "later " : "") + rung.write.file.substr(15) + " " + rung.write.text.substr(4));
    }
    CHECK(at == after);
    CHECK(seen == std::vector<std::string>{"write_bps_device 10000000", "later write_bps_device 5000000",
                                           "later read_iops_device 50", "write_iops_device 70"});
}

TEST_CASE("a limit below ten requests per second is raised to be timed, whatever is changed beside it") {
    const auto rungs = descent(CgroupVersion::v2, device, with({{Rate::write_iops, 5}, {Rate::write_bps, 1000000}}),
                               with({{Rate::write_iops, 5}, {Rate::write_bps, 2000000}}));
    REQUIRE(rungs.size() == 2);
    CHECK(rungs[0].write.text == "7:3 rbps=max wbps=1000000 riops=max wiops=19");
    CHECK(rungs[1].write.text == "7:3 rbps=max wbps=2000000 riops=max wiops=5");
}
