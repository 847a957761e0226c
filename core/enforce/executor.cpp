// SPDX-License-Identifier: Apache-2.0
#include "enforce/executor.hpp"

#include "base/text.hpp"
#include "cgroup/io_stat.hpp"
#include "enforce/removal.hpp"
#include "enforce/systemd.hpp"
#include "plan/descent.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

namespace penstock {
namespace {

using namespace std::chrono_literals;
Deadline native_deadline() { return std::chrono::steady_clock::now() + 5s; }

// What has ended needs no undoing.
Result<void> unless_gone(Result<void> undone) {
    return !undone && undone.error().code() == ErrorCode::gone ? Result<void>{} : undone;
}

// "thread 12 is still in /x", or nothing where all threads are in `cgroup` or below it.
std::string thread_elsewhere(const Roots& roots, const Hierarchy& hierarchy, pid_t pid, const std::string& cgroup) {
    const auto threads = read_threads(roots, pid);
    if (!threads) return {};
    for (const auto tid : *threads) {
        const auto lines = read_process_cgroups(roots, pid, tid);
        if (!lines) continue; // the thread has ended
        const auto* line = hierarchy.line_of(*lines);
        if (line != nullptr && line->path != cgroup && !line->path.starts_with(cgroup == "/" ? cgroup : cgroup + "/"))
            return fmt::format("thread {} is still in {}", tid, printable(line->path));
    }
    return {};
}

} // namespace

Result<void> Executor::run(const Plan& plan) {
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        if (auto done = carry_out(plan.steps[i]); !done)
            return fail(plan, i, std::move(done.error()).within(describe(plan.steps[i], hierarchy_)));
    if (plan.steps.empty() || std::holds_alternative<RemoveCgroup>(plan.steps.back().action)) return {};
    if (auto same = read_back(plan); !same) return fail(plan, plan.steps.size(), std::move(same.error()));
    return {};
}

// A plugin returns what it has read back from the hypervisor after its change; cgroup files are read here.
Result<void> Executor::read_back(const Plan& plan) {
    Limits now, after;
    if (plan.point.engine == Engine::native) {
        now = native_now_;
        after = plan.after;
    } else {
        const auto cgroup = open(plan.point.cgroup);
        auto read = cgroup ? read_limits(**cgroup, plan.point.device, plan.changed) : Result<Limits>{cgroup.error()};
        if (!read) return std::move(read.error()).within("reading back");
        for (const auto rate : plan.changed) {
            now[rate] = (*read)[rate];
            after[rate] = plan.after[rate];
        }
        for (const auto& setting : plan.weights) {
            const auto weight = read_weight(**cgroup, setting.place);
            if (!weight) return std::move(weight.error()).within("reading back");
            if (*weight != setting.value)
                return Error{ErrorCode::system, fmt::format("read back a weight of {} where {} was written",
                                                            weight->value_or(0), setting.value.value_or(0))};
        }
    }
    if (now == after) return {};
    return Error{ErrorCode::system,
                 fmt::format("read back '{}' where '{}' was written", describe(now), describe(after))};
}

Result<const Cgroup*> Executor::open(const std::string& path) {
    if (opened_ && opened_->path() == path) return &*opened_;
    auto cgroup = Cgroup::open(*hierarchy_, path);
    if (!cgroup) return cgroup.error();
    opened_.emplace(*std::move(cgroup));
    return &*opened_;
}

Error Executor::fail(const Plan& plan, std::size_t done, Error error) {
    for (auto i = done; i-- > 0;)
        if (const auto undone = undo(plan.steps[i]); !undone)
            return Error{ErrorCode::partial, fmt::format("{}; and putting back what was done before failed: {}",
                                                         error.text(), undone.error().text())}
                .advise("'penstock status' shows what is set now");
    return done == 0 ? error : std::move(error).within("nothing was changed: all earlier steps were undone");
}

Result<Limits> Executor::read(const LimitPoint& point) {
    if (point.engine == Engine::native) return plugin_->native_read(point.key, point.native_id, native_deadline());
    const auto cgroup = open(point.cgroup);
    if (!cgroup) return cgroup.error();
    return read_limits(**cgroup, point.device);
}

bool Executor::unused(const LimitPoint& point) {
    const auto cgroup = point.engine == Engine::cgroup ? open(point.cgroup) : Result<const Cgroup*>{nullptr};
    if (!cgroup || *cgroup == nullptr) return false;
    const auto counters = read_io_counters(**cgroup, point.device);
    if (!counters) return false;
    // v2 has no line for a device before the first request; v1 has one with the first limit.
    return *counters ? **counters == IoCounters{} : point.version == CgroupVersion::v2;
}

Result<void> Executor::carry_out(const Step& step) {
    return std::visit([this](const auto& action) { return apply(action); }, step.action);
}

Result<void> Executor::apply(const MakeCgroup& step) {
    const auto directory = hierarchy_->directory(step.cgroup);
    if (!directory)
        return Error{ErrorCode::unsupported, "the cgroup root is not mounted here"}.advise("run penstock on the host");
    const bool made = ::mkdir(directory->c_str(), 0755) == 0;
    const int error = errno;
    made_cgroups_.push_back(made);
    if (made) return {};
    if (error != EEXIST) return Error::from_errno(error, "making " + *directory);
    // Left over from an earlier life of the instance: its limits were for devices of that time.
    return lift_all_if_empty(*hierarchy_, step.cgroup);
}

Result<void> Executor::apply(const EnableIo& step) {
    auto done = write(step.cgroup, {"cgroup.subtree_control", "+io"});
    if (!done && done.error().sys_errno() == EBUSY)
        return std::move(done.error())
            .advise("cgroup v2 lets a cgroup have processes or children with controllers, not both: move the processes "
                    "of " +
                    printable(step.cgroup) + " to a cgroup below it");
    return done;
}

Result<void> Executor::apply(const KeepIo& step) {
    // Without systemd's help the limit acts all the same, until systemd reorders its cgroups.
    if (auto kept = keep_io_controller(roots_, step.unit); !kept)
        warnings_.push_back(
            fmt::format("systemd could not be told to keep the io controller on for {}, so that 'systemctl "
                        "daemon-reload' may remove the limit: {}",
                        printable(step.unit), kept.error().text()));
    return {};
}

Result<void> Executor::apply(const WriteControl& step) { return write(step.cgroup, step.write); }

Result<void> Executor::write(const std::string& path, const ControlWrite& write) {
    const auto cgroup = open(path);
    if (!cgroup) return cgroup.error();
    last_write_ = {path, write, std::chrono::steady_clock::now(), {}};
    auto written = (*cgroup)->write(write.file, write.text);
    last_write_.after = std::chrono::steady_clock::now();
    return written;
}

Result<void> Executor::apply(const LowerControl& step) {
    constexpr int attempts = 50; // of 80 ms
    for (int i = 0; i < attempts; ++i) {
        std::this_thread::sleep_until(last_write_.after + rung_earliest);
        if (std::chrono::steady_clock::now() <= last_write_.before + rung_latest) return write(step.cgroup, step.write);
        // Too late: the slice may be over. What was written last is written again, which changes nothing and starts
        // another one.
        const auto last = last_write_;
        if (auto again = write(last.cgroup, last.write); !again) return again;
    }
    return Error{ErrorCode::busy,
                 fmt::format("the host is too busy: {} times there was no CPU for penstock within {} ms", attempts,
                             (rung_latest - rung_earliest).count())}
        .advise("try again");
}

Result<void> Executor::apply(const Pause& step) {
    std::this_thread::sleep_for(step.time);
    return {};
}

Result<void> Executor::apply(const MoveProcess& step) { return move(step.process, step.to); }

Result<void> Executor::move(const ProcessMove& process, const std::string& to) {
    const auto held = ProcessHandle::hold(roots_, process.pid, process.start_time);
    if (!held) return held.error();
    if (auto written = write(to, {"cgroup.procs", std::to_string(process.pid)}); !written) return written;
    return await_move(*held, to);
}

// The kernel moves all threads of a process. One that is just ending shows up in the root cgroup for a moment, so a
// thread elsewhere counts only if it stays there while the process lives.
Result<void> Executor::await_move(const ProcessHandle& process, const std::string& to) {
    std::string where;
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (!process.alive()) break;
        where = thread_elsewhere(roots_, *hierarchy_, process.pid(), to);
        if (where.empty()) return {};
        std::this_thread::sleep_for(5ms);
    }
    if (!process.alive()) return Error{ErrorCode::gone, fmt::format("process {} has ended", process.pid())};
    return Error{ErrorCode::system, fmt::format("{} after process {} was moved", where, process.pid())};
}

Result<void> Executor::apply(const RemoveCgroup& step) {
    // A process that cannot be moved back, or one started meanwhile, keeps the cgroup; without a limit it does no harm.
    if (auto removed = lift_and_remove(*hierarchy_, step.cgroup); !removed) warnings_.push_back(removed.error().text());
    return {};
}

Result<void> Executor::apply(const ApplyNative& step) {
    auto now = plugin_->native_apply(step.key, step.disk, step.change, native_deadline());
    if (!now) return now.error();
    native_now_ = *std::move(now);
    return {};
}

Result<void> Executor::apply(const ClearNative& step) {
    auto now = plugin_->native_clear(step.key, step.disk, step.fields, native_deadline());
    if (!now) return now.error();
    native_now_ = *std::move(now);
    return {};
}

Result<void> Executor::restore_native(const InstanceKey& key, const std::string& disk, const Limits& before) {
    if (auto cleared = plugin_->native_clear(key, disk, LimitFields::all(), native_deadline()); !cleared)
        return cleared.error();
    if (before.empty()) return {};
    if (auto applied = plugin_->native_apply(key, disk, before, native_deadline()); !applied) return applied.error();
    return {};
}

Result<void> Executor::undo(const Step& step) {
    if (const auto* write_step = std::get_if<WriteControl>(&step.action))
        return write(write_step->cgroup, write_step->undo);
    if (const auto* lower_step = std::get_if<LowerControl>(&step.action))
        return write(lower_step->cgroup, lower_step->undo);
    if (const auto* move_step = std::get_if<MoveProcess>(&step.action)) {
        auto moved =
            move({move_step->process.pid, move_step->process.start_time, move_step->to}, move_step->process.from);
        return unless_gone(std::move(moved));
    }
    if (const auto* make = std::get_if<MakeCgroup>(&step.action)) {
        const bool made = !made_cgroups_.empty() && made_cgroups_.back();
        if (!made_cgroups_.empty()) made_cgroups_.pop_back();
        return made ? lift_and_remove(*hierarchy_, make->cgroup) : Result<void>{};
    }
    if (const auto* native = std::get_if<ApplyNative>(&step.action))
        return unless_gone(restore_native(native->key, native->disk, native->before));
    if (const auto* native = std::get_if<ClearNative>(&step.action))
        return unless_gone(restore_native(native->key, native->disk, native->before));
    // The io controller stays on: it takes nothing from anybody, and taking it away would take io.max files from
    // others.
    return {};
}

} // namespace penstock
