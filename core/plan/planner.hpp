// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/limits.hpp"
#include "plan/step.hpp"
#include "plan/weight_setting.hpp"
#include "resolve/engine.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

// Where the limits of one disk are kept: a (cgroup, device) pair, or a native id.
struct LimitPoint {
    Engine engine = Engine::none;
    CgroupVersion version = CgroupVersion::v2; // cgroup only, as are the next three
    std::string cgroup;
    DeviceNumber device;
    std::string device_name;
    InstanceKey key; // native only, as is the next one
    std::string native_id;
    bool operator==(const LimitPoint&) const = default;
};

// What is there now, and what has to happen before a limit can act.
struct Seen {
    Limits now;                         // read at the point
    std::optional<Placement> placement; // cgroup only
    bool unused = false;                // nothing has passed there yet, so that nothing is owed to a limit
};

struct Plan {
    LimitPoint point;
    std::vector<Step> steps;            // empty: everything is as wanted already
    Limits after;                       // what must be read back when the steps are done
    std::vector<Rate> changed;          // cgroup only: the rates that the steps write, and that are read back
    std::vector<WeightSetting> weights; // cgroup only: likewise
};

// How long the steps wait for their moments, at least.
std::chrono::milliseconds waiting_time(const Plan& plan);

// Sets the fields of `change`; what it does not set stays as it is now. Pure.
Plan plan_set(const LimitPoint& point, const Seen& seen, const Limits& change);

// What `clear` needs to know of the time before we came.
struct Restore {
    Limits before;                  // limits that others had set; cleared fields go back to these
    bool made_cgroup = false;       // we made it
    std::vector<ProcessMove> moved; // and moved these into it, from where they were
    bool last = false;              // no other disk of the instance has a limit of ours
};

// Removes `fields` and leaves the rest. When nothing of ours remains, processes go back and our cgroup goes, always
// after the limit has been lifted: a cgroup that is removed with throttled requests leaves its tasks stuck for good.
// Pure.
Plan plan_clear(const LimitPoint& point, const Seen& seen, const LimitFields& fields, const Restore& restore);

} // namespace penstock
