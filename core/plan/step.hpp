// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/controls.hpp"
#include "model/instance.hpp"
#include "model/limits.hpp"
#include "resolve/placement.hpp"

#include <chrono>
#include <string>
#include <variant>

namespace penstock {

// One exact change to the host. Each can be undone.
struct MakeCgroup {
    std::string cgroup;
    bool operator==(const MakeCgroup&) const = default;
};
struct EnableIo { // v2: "+io" into cgroup.subtree_control
    std::string cgroup;
    bool operator==(const EnableIo&) const = default;
};
struct KeepIo { // v2: systemd keeps the io controller on for this unit, until the next reboot
    std::string unit;
    bool operator==(const KeepIo&) const = default;
};
struct WriteControl {
    std::string cgroup;
    ControlWrite write;
    ControlWrite undo; // puts back what was there
    bool operator==(const WriteControl&) const = default;
};
// The same, in the slice of the kernel that the step before has started: see plan/descent.hpp.
struct LowerControl {
    std::string cgroup;
    ControlWrite write;
    ControlWrite undo;
    bool operator==(const LowerControl&) const = default;
};
// Nothing is done for so long.
struct Pause {
    std::chrono::milliseconds time;
    bool operator==(const Pause&) const = default;
};
struct MoveProcess {
    ProcessMove process;
    std::string to;
    bool operator==(const MoveProcess&) const = default;
};
struct RemoveCgroup {
    std::string cgroup;
    bool operator==(const RemoveCgroup&) const = default;
};
struct ApplyNative { // the fields that `change` sets; then `before` is what undo restores
    InstanceKey key;
    std::string disk; // native id
    Limits change;
    Limits before;
    bool operator==(const ApplyNative&) const = default;
};
struct ClearNative {
    InstanceKey key;
    std::string disk;
    LimitFields fields;
    Limits before;
    bool operator==(const ClearNative&) const = default;
};

struct Step {
    std::variant<MakeCgroup, EnableIo, KeepIo, WriteControl, LowerControl, Pause, MoveProcess, RemoveCgroup,
                 ApplyNative, ClearNative>
        action;
    std::string why;
    bool operator==(const Step&) const = default;
};

// "write '7:0 20000000' to /sys/fs/cgroup/blkio/x/blkio.throttle.write_bps_device"
std::string describe(const Step& step, const Hierarchy* hierarchy);

// "write_bps=20M read_iops=500"
std::string describe(const Limits& limits);

} // namespace penstock
