// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/cgroup.hpp"
#include "plan/planner.hpp"
#include "plugin/plugin.hpp"
#include "sys/process.hpp"
#include "sys/roots.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

// Carries out plans, one exact write after the other.
class Executor {
public:
    // `hierarchy` and `plugin` may be nullptr where no step of a plan needs them.
    Executor(const Roots& roots, const Hierarchy* hierarchy, Plugin* plugin)
        : roots_{roots}, hierarchy_{hierarchy}, plugin_{plugin} {}

    // All steps, then the read-back; or none: what was done before a failure is undone, and the error says so. PARTIAL
    // where undoing failed as well.
    Result<void> run(const Plan& plan);

    // What is set at a point now.
    Result<Limits> read(const LimitPoint& point);

    // Whether the kernel has counted that nothing has passed at a cgroup's point so far.
    bool unused(const LimitPoint& point);

    // What could not be tidied up, which changes nothing about the limits.
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    Result<void> carry_out(const Step& step);
    Result<void> undo(const Step& step);
    Result<void> apply(const MakeCgroup& step);
    Result<void> apply(const EnableIo& step);
    Result<void> apply(const KeepIo& step);
    Result<void> apply(const WriteControl& step);
    Result<void> apply(const LowerControl& step);
    Result<void> apply(const Pause& step);
    Result<void> apply(const MoveProcess& step);
    Result<void> apply(const RemoveCgroup& step);
    Result<void> apply(const ApplyNative& step);
    Result<void> apply(const ClearNative& step);
    Result<void> read_back(const Plan& plan);
    Result<const Cgroup*> open(const std::string& cgroup);
    Result<void> write(const std::string& cgroup, const ControlWrite& write);
    Result<void> move(const ProcessMove& process, const std::string& to);
    Result<void> await_move(const ProcessHandle& process, const std::string& to);
    Result<void> restore_native(const InstanceKey& key, const std::string& disk, const Limits& before);
    Error fail(const Plan& plan, std::size_t done, Error error);

    const Roots& roots_;
    const Hierarchy* hierarchy_;
    Plugin* plugin_;
    std::optional<Cgroup> opened_; // the last one that was used: most plans have one
    struct LastWrite {
        std::string cgroup;
        ControlWrite write;
        std::chrono::steady_clock::time_point before, after; // the call
    } last_write_;
    Limits native_now_; // as the plugin read it back after its last change
    std::vector<std::string> warnings_;
    std::vector<bool> made_cgroups_; // for each MakeCgroup so far: it was not there before
};

} // namespace penstock
