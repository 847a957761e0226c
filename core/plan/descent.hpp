// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/controls.hpp"
#include "model/limits.hpp"

#include <chrono>
#include <vector>

namespace penstock {

// How a limit of the block layer is lowered while requests wait for it.
//
// The kernel hands a limit's allowance out at the start of slices of 0.1 s. So at any moment up to 0.1 s of the old
// rate has been used in advance, and since Linux 6.1 a change carries this debt over (block/blk-throttle.c,
// tg_update_carryover). Where the first slice of the new limit does not cover it, 6.1 to 6.5 take the negative rest for
// a huge number: 0.1 s without any limit, and a standstill until that is paid (mended in 6.6 by bb8d5587bdc3, in no 6.1
// release so far). From 6.6 on the standstill is that of the debt alone: 10 s for 1000 to 10 requests per second.
//
// Each write starts a slice. Late in that slice the debt is small and its bound is known: what was used of the slice at
// most, less what has been earned by then. So each write on the way down comes late in the slice that the write before
// it has started, and goes no lower than its own first slice covers the bound.

// When the next write may come, counted from the return of the one before, and from the call of it. At 70 ms of the
// slice, in whole ticks of the kernel's clock, all bounds hold; with 100 ticks a second a slice can end after 90 ms.
inline constexpr std::chrono::milliseconds rung_earliest{78};
inline constexpr std::chrono::milliseconds rung_latest{88};

// One write on the way down.
struct Rung {
    ControlWrite write;
    ControlWrite undo;
    bool timed = false; // late in the slice that the write before has started; else at once
    bool operator==(const Rung&) const = default;
};

// The writes that turn `now` into `after`; none where the kernel can be given `after` at once: no rate is lowered, or
// none by so much that it matters. Pure.
std::vector<Rung> descent(CgroupVersion version, DeviceNumber device, const Limits& now, const Limits& after);

// A rate that is lifted leaves its debt behind for the next limit, however much later that comes, unless a slice ends
// meanwhile under a rule of any kind. So it is first raised to a value that nobody reaches, for longer than a slice.
inline constexpr std::chrono::milliseconds settling_time{150};
Limits before_lifting(const Limits& now, const Limits& after); // `after` where nothing is lifted

} // namespace penstock
