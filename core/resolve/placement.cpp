// SPDX-License-Identifier: Apache-2.0
#include "resolve/placement.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"
#include "resolve/cgroup_name.hpp"
#include "resolve/systemd_unit.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace penstock {
namespace {

constexpr int tree_depth_cap = 32;

std::string pid_namespace(const Roots& roots, const std::string& process) {
    std::array<char, 64> target;
    const auto n = ::readlink((roots.proc + "/" + process + "/ns/pid").c_str(), target.data(), target.size());
    return n < 0 ? std::string{} : std::string(target.data(), static_cast<std::size_t>(n));
}

class Search {
public:
    Search(const Roots& roots, const Hierarchy& hierarchy, const Instance& instance, std::span<const Actor> actors)
        : roots_{roots}, instance_{instance} {
        placement_.hierarchy = hierarchy;
        for (const auto& actor : actors) {
            processes_.emplace(actor.pid, &actor);
            container_ |= actor.role == ActorRole::container_init || actor.role == ActorRole::container_task;
        }
    }

    Placement run() {
        if (processes_.empty())
            return stop("no process is known that submits its I/O", "see the note of 'penstock show'");
        if (!find_homes()) return std::move(placement_);
        const auto main = homes_.contains(instance_.main_pid) ? instance_.main_pid : homes_.begin()->first;
        const auto home = homes_.at(main);
        if (!half_adopted() && holds_only_us(home)) return own(container_ ? home : common_home(home));
        return adopt(home);
    }

private:
    Placement stop(std::string reason, std::string remedy) {
        placement_.obstacle = Obstacle{std::move(reason), std::move(remedy)};
        return std::move(placement_);
    }

    // The cgroup of each process, as the kernel says it. A process that has just ended is left out.
    bool find_homes() {
        for (const auto& [pid, actor] : processes_) {
            const auto lines = read_process_cgroups(roots_, pid);
            if (!lines) continue;
            if (const auto* line = placement_.hierarchy.line_of(*lines)) homes_[pid] = line->path;
        }
        if (!homes_.empty()) return true;
        stop("its processes have ended, or are not visible in " + placement_.hierarchy.mount_point,
             "run 'penstock list' again");
        return false;
    }

    // Some have been moved to the cgroup that Penstock makes, others have started since: of a disk that was attached.
    bool half_adopted() const {
        const auto adopted = cgroup_for(instance_.key);
        const auto count =
            std::count_if(homes_.begin(), homes_.end(), [&](const auto& home) { return home.second == adopted; });
        return count != 0 && static_cast<std::size_t>(count) != homes_.size();
    }

    // All processes in one cgroup, or (v2) below it.
    std::string common_home(const std::string& home) {
        for (const auto& [pid, path] : homes_)
            if (path != home && !path.starts_with(home + "/"))
                placement_.notes.push_back(fmt::format("process {} is in {} and not covered", pid, printable(path)));
        return home;
    }

    bool is_ours(pid_t pid) {
        if (processes_.contains(pid)) return true;
        // A container's processes come and go: whoever is not in the host's pid namespace was started inside.
        if (container_) {
            const auto theirs = pid_namespace(roots_, std::to_string(pid));
            return theirs.empty() || theirs != pid_namespace(roots_, "self");
        }
        // A child of one of ours that has just been started, or a process that has just ended.
        const auto stat = read_process_stat(roots_, pid);
        return !stat || processes_.contains(stat->parent);
    }

    // Nobody else's process is in this cgroup, or (v2, where limits act on the whole subtree) below it.
    bool holds_only_us(const std::string& path, int depth = 0) {
        if (path == "/" || depth > tree_depth_cap) return false;
        const auto cgroup = Cgroup::open(placement_.hierarchy, path);
        if (!cgroup) return false;
        const auto pids = cgroup->processes();
        // v2: a threaded cgroup (libvirt's emulator, vcpu0) has its processes listed in its domain only.
        if (!pids && pids.error().sys_errno() != EOPNOTSUPP) return false;
        if (pids)
            for (const auto pid : *pids)
                if (!is_ours(pid)) {
                    stranger_ = pid;
                    return false;
                }
        if (cgroup->version() == CgroupVersion::v1) return true;
        const auto children = cgroup->children();
        if (!children) return false;
        return std::all_of(children->begin(), children->end(),
                           [&](const auto& child) { return holds_only_us(child, depth + 1); });
    }

    Placement own(std::string path) {
        if (placement_.hierarchy.version == CgroupVersion::v1) {
            placement_.cgroup = path;
            note_escapes(path);
            return std::move(placement_);
        }
        // v2 limits act on everything below, so the highest cgroup that is the instance's alone is the one: libvirt and
        // systemd inside a container keep processes in cgroups below it. A slice groups what does not belong together.
        while (!is_own_cgroup(path)) {
            const auto parent = parent_path(path);
            if (parent == "/" || parent.ends_with(".slice") || !holds_only_us(parent)) break;
            path = parent;
        }
        placement_.cgroup = path;
        placement_.charges_memory = lists(path, "cgroup.controllers", "memory");
        enable_down_to(path);
        return std::move(placement_);
    }

    // v1 limits act on the very cgroup alone: tasks in cgroups below it, or threads elsewhere, are not covered.
    void note_escapes(const std::string& path) {
        std::size_t elsewhere = 0;
        for (const auto& [pid, home] : homes_) elsewhere += home != path;
        if (elsewhere != 0)
            placement_.notes.push_back(
                fmt::format("{} of its {} processes are in other cgroups, and cgroup v1 limits act only in {}",
                            elsewhere, homes_.size(), printable(path)));
        if (container_) return;
        for (const auto& [pid, home] : homes_) {
            const auto threads = read_threads(roots_, pid);
            if (!threads) continue;
            for (const auto tid : *threads) {
                const auto lines = read_process_cgroups(roots_, pid, tid);
                const auto* line = lines ? placement_.hierarchy.line_of(*lines) : nullptr;
                if (line != nullptr && line->path != home)
                    placement_.notes.push_back(
                        fmt::format("thread {} is in cgroup {} and not covered", tid, printable(line->path)));
            }
        }
    }

    Placement adopt(const std::string& home) {
        auto who = home == "/" ? std::string{"it runs in the root cgroup"}
                               : fmt::format("its cgroup {} also holds process {}, which is not its own",
                                             printable(home), stranger_);
        if (half_adopted()) who = "not all of its processes are in " + cgroup_for(instance_.key);
        placement_.cgroup = cgroup_for(instance_.key);
        for (const auto& [pid, path] : homes_) {
            if (path == placement_.cgroup) continue;
            if (processes_.at(pid)->movable == Answer::no)
                return stop(who +
                                (instance_.manager.empty() ? "" : ", and " + printable(instance_.manager) + " owns it"),
                            "give the instance a cgroup of its own, or use --via native");
            placement_.moves.push_back({pid, processes_.at(pid)->start_time, path});
        }
        placement_.create = true;
        fix_start_times();
        const bool v2 = placement_.hierarchy.version == CgroupVersion::v2;
        if (v2) enable_down_to(placement_.cgroup);
        if (!leaves_limits()) return std::move(placement_);
        if (v2) {
            placement_.adopt =
                who +
                "; in a cgroup of its own it also leaves the CPU, memory and other limits of the old one (cgroup v2)";
        } else if (!placement_.hierarchy.shared_with.empty()) {
            placement_.adopt = who + "; blkio is mounted together with " + placement_.hierarchy.shared_with.front() +
                               ", so that it also leaves those limits";
        }
        return std::move(placement_);
    }

    // Xen's kernel threads start in the root cgroup, which limits nothing and which nobody has put them into.
    bool leaves_limits() const {
        return !std::all_of(placement_.moves.begin(), placement_.moves.end(), [&](const ProcessMove& move) {
            return move.from == "/" && processes_.at(move.pid)->role == ActorRole::blkback;
        });
    }

    // Actors are threads; what is moved, and held, is the process.
    void fix_start_times() {
        for (auto& move : placement_.moves)
            if (const auto stat = read_process_stat(roots_, move.pid)) move.start_time = stat->start_time;
    }

    // io.max exists where the parent passes `io` on; so every cgroup from the root to the parent must.
    void enable_down_to(const std::string& path) {
        ask_systemd(path);
        for (auto at = parent_path(path);; at = parent_path(at)) {
            // Our own may be removed, as an empty one, and made anew before the limit is written.
            const bool may_go = placement_.create && at == own_cgroup;
            if (may_go || !lists(at, "cgroup.subtree_control", "io"))
                placement_.enable_io.insert(placement_.enable_io.begin(), at);
            if (at == "/") return;
        }
    }

    bool lists(const std::string& path, const std::string& file, std::string_view controller) const {
        const auto cgroup = Cgroup::open(placement_.hierarchy, path);
        const auto text = cgroup ? cgroup->read(file) : Result<std::string>{std::string{}};
        const auto words = " " + (text ? text->substr(0, text->find('\n')) : std::string{}) + " ";
        return words.find(fmt::format(" {} ", controller)) != std::string::npos;
    }

    // systemd takes the controllers away that none of its units needs, and every io.max with them, at each
    // daemon-reload.
    void ask_systemd(const std::string& path) {
        if (!systemd_runs(roots_)) return;
        auto unit = unit_of(path);
        if (unit.empty()) unit = anchor_unit;
        if (!keeps_io(roots_, unit)) placement_.keep_io = unit;
    }

    const Roots& roots_;
    const Instance& instance_;
    std::map<pid_t, const Actor*> processes_;
    std::map<pid_t, std::string> homes_;
    bool container_ = false;
    pid_t stranger_ = 0;
    Placement placement_;
};

} // namespace

Placement place(const Roots& roots, const Hierarchy& hierarchy, const Instance& instance,
                std::span<const Actor> actors) {
    return Search{roots, hierarchy, instance, actors}.run();
}

} // namespace penstock
