// SPDX-License-Identifier: Apache-2.0
#include "enforce/limiter.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"
#include "enforce/sweep.hpp"
#include "enforce/weights.hpp"
#include "plan/floor.hpp"
#include "resolve/address.hpp"
#include "resolve/cgroup_name.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {

// What one change works on: the lock, and what was recorded of the instance.
struct Limiter::State {
    Fd lock;
    InstanceRecord record;
    bool restarted = false; // since the record was written
};

Result<Limiter::State> Limiter::begin(const Inventory::Found& found, bool dry_run) {
    State state;
    if (!dry_run) {
        auto lock = journal_.lock();
        if (!lock) return lock.error();
        state.lock = *std::move(lock);
        if (inventory_.hierarchy()) sweep(*inventory_.hierarchy());
    }
    const auto& key = found.view.instance.key;
    auto loaded = journal_.load(key);
    if (!loaded) return loaded.error();
    if (*loaded) state.record = **std::move(loaded);
    if (*loaded && state.record.key.incarnation != key.incarnation) {
        // What was wanted stays wanted, what was done is gone.
        state.restarted = true;
        state.record.made_cgroup = false;
        state.record.moved.clear();
        for (auto& disk : state.record.disks) {
            disk.before = {};
            disk.weights.clear();
        }
    }
    state.record.key = key;
    state.record.name = found.view.instance.name;
    return state;
}

Executor Limiter::executor(const Inventory::Found& found) const {
    const auto& hierarchy = inventory_.hierarchy();
    return Executor{inventory_.roots(), hierarchy ? &*hierarchy : nullptr, found.plugin};
}

namespace {

LimitPoint point_of(const InstanceView& view, const DiskView& disk, Engine engine) {
    LimitPoint point{.engine = engine};
    if (engine == Engine::native) {
        point.key = view.instance.key;
        point.native_id = disk.disk.native_id;
    } else {
        point.version = view.placement->hierarchy.version;
        point.cgroup = view.placement->cgroup;
        point.device = disk.chain.device->number;
        point.device_name = disk.chain.device->name;
    }
    return point;
}

Error refusal(const std::string& address, const EngineChoice& choice, Engine via) {
    const auto& asked = via == Engine::native ? choice.native : choice.cgroup;
    const auto& obstacle = asked.impossible ? asked.impossible : asked.ineffective;
    auto code = ErrorCode::unsupported;
    std::string next = obstacle ? obstacle->remedy : std::string{};
    if (choice.cgroup.needs_adopt && via != Engine::native) {
        code = ErrorCode::refused;
        next =
            "add --adopt to let Penstock make a cgroup for it, or use --via native where the hypervisor has a limiter";
    }
    return Error{code, fmt::format("{} cannot be limited this way: {}", address, choice.why)}.advise(std::move(next));
}

// Two limits on one (cgroup, device) pair act on each other: neither would be what was asked for.
std::optional<Error> conflict(const InstanceRecord& record, const DiskView& disk, const LimitPoint& point,
                              const std::string& address) {
    if (point.engine != Engine::cgroup) return std::nullopt;
    for (const auto& other : record.disks)
        if (other.disk != disk.disk.target && other.point.engine == Engine::cgroup &&
            other.point.device == point.device)
            return Error{
                ErrorCode::conflict,
                fmt::format("{} and {} of the same instance both lie on {}, and {} already has a limit there: {}",
                            address, printable(other.disk), point.device_name, printable(other.disk),
                            describe(other.wanted))}
                .advise(
                    fmt::format("clear the limit of {} first, or use --via native where the hypervisor has a limiter",
                                printable(other.disk)));
    return std::nullopt;
}

// A disk that lies on another device now, or an instance in another cgroup: what we set there must not stay behind. The
// number may be another disk's by now.
void lift_former(Executor& executor, const Hierarchy& hierarchy, const InstanceRecord& record,
                 const DiskRecord& known) {
    const bool shared = std::any_of(record.disks.begin(), record.disks.end(), [&](const DiskRecord& d) {
        return d.disk != known.disk && d.point == known.point;
    });
    if (known.point.engine != Engine::cgroup || shared) return;
    const auto now = executor.read(known.point);
    if (!now) return;
    auto plan = plan_clear(known.point, {*now, std::nullopt}, LimitFields::all(), {.before = known.before});
    plan_weights_back(plan, hierarchy, record, known);
    (void)executor.run(plan);
}

// Limits of `now` in the fields of `change`, except those that are ours already.
Limits before_us(const Limits& now, const Limits& change, const DiskRecord* known) {
    Limits before = known == nullptr ? Limits{} : known->before;
    for (const auto rate : all_rates)
        if (change[rate] && (known == nullptr || !known->wanted[rate])) before[rate] = now[rate];
    return before;
}

// Where processes go back to; of a cgroup that has been removed meanwhile, the nearest one above it that is there.
// Those that have ended (the kernel threads of a disk that was detached) are left out.
std::vector<ProcessMove> way_back(const Roots& roots, const Hierarchy& hierarchy, std::vector<ProcessMove> moved) {
    std::erase_if(moved, [&](const ProcessMove& move) {
        const auto stat = read_process_stat(roots, move.pid);
        return !stat || stat->start_time != move.start_time;
    });
    for (auto& move : moved)
        while (move.from != "/" && !Cgroup::open(hierarchy, move.from)) move.from = parent_path(move.from);
    return moved;
}

} // namespace

Verdict verdict_of(const EngineOption& option) {
    if (option.ineffective) return {VerdictKind::ineffective, option.ineffective->reason, option.ineffective->remedy};
    std::string caveats;
    for (const auto& caveat : option.caveats) caveats += (caveats.empty() ? "" : "; ") + caveat;
    return {VerdictKind::enforced, caveats, {}};
}

Result<Outcome> Limiter::set(const Inventory::Found& found, const DiskView& reported, const Limits& change,
                             const SetOptions& options) {
    const auto& view = found.view;
    const auto address = address_of(view.instance, reported.disk.target);
    auto begun = begin(found, options.dry_run);
    if (!begun) return std::move(begun.error()).within("setting a limit on " + address);
    auto& record = begun->record;
    auto* known = record.find(reported.disk.target);
    const auto layer = options.layer.empty() && known != nullptr ? known->layer : options.layer;
    const auto chosen = view.at_layer(inventory_.roots(), reported, layer);
    if (!chosen) return chosen.error();
    const auto& disk = *chosen;
    const auto wanted = known == nullptr ? change : merged(known->wanted, change);
    if (wanted.empty())
        return Error{ErrorCode::invalid, "no limit was given for " + address}.advise(
            "for example --write-bps 20M; see 'penstock set --help'");

    // A limit stays with the engine that it is on; moving it silently would leave two.
    auto via = options.via;
    if (known != nullptr) {
        if (via != Engine::none && via != known->point.engine)
            return Error{ErrorCode::conflict, fmt::format("{} is limited via {} already ({})", address,
                                                          name(known->point.engine), describe(known->wanted))}
                .advise(fmt::format("'penstock clear {}' first", address));
        via = known->point.engine;
    }
    const auto weighing = weighing_for(inventory_, disk, wanted);
    auto facts = view.facts(disk);
    if (weighing) facts.weighing = &*weighing;
    Outcome outcome{disk.disk.target, choose_engine(facts, wanted, via, options.adopt), {}, {}, {}};
    if (outcome.choice.engine == Engine::none) return refusal(address, outcome.choice, via);
    const auto point = point_of(view, disk, outcome.choice.engine);
    if (auto problem = conflict(record, disk, point, address)) return *std::move(problem);

    auto executor = this->executor(found);
    Seen seen;
    if (point.engine == Engine::cgroup) seen.placement = *view.placement;
    auto now = executor.read(point);
    if (now)
        seen.now = *now;
    else if (point.engine == Engine::native || now.error().code() != ErrorCode::gone)
        return std::move(now.error()).within("setting a limit on " + address);
    // gone: the cgroup or (v2) its io.max is not there yet.
    seen.unused = !seen.now.empty() && executor.unused(point);
    outcome.plan = plan_set(point, seen, wanted);
    std::vector<WeightSetting> weights;
    if (weighing) {
        weights = plan_weights(outcome.plan, *inventory_.hierarchy(), *weighing, *wanted.weight, known);
        if (auto problem = weight_conflict(record, disk.disk.target, point.cgroup, weights))
            return std::move(*problem).within(address);
    }
    if (auto problem = floor_problem(outcome.plan.after); problem && !options.force)
        return std::move(*problem).within(address);
    outcome.verdict = verdict_of(outcome.choice.option());
    if (options.dry_run) return outcome;

    if (known != nullptr && !begun->restarted && !(known->point == point))
        lift_former(executor, *inventory_.hierarchy(), record, *known);
    const auto former = record;
    const auto before = before_us(seen.now, wanted, begun->restarted ? nullptr : known);
    if (known == nullptr) known = &record.disks.emplace_back();
    *known = {
        disk.disk.target, point,  disk.chain.device ? disk.chain.device->identity() : std::string{}, layer, wanted,
        before,           weights};
    if (point.engine == Engine::cgroup && view.placement->create) {
        record.made_cgroup = true;
        record.cgroup = point.cgroup;
        record.moved.insert(record.moved.end(), view.placement->moves.begin(), view.placement->moves.end());
    }
    // The record comes first: whatever happens to us now, `status` and `clear` know what was there before.
    if (auto saved = journal_.save(record); !saved)
        return std::move(saved.error()).within("recording the limit of " + address);
    if (options.announce != nullptr) options.announce(outcome.plan);
    if (auto done = executor.run(outcome.plan); !done) {
        if (done.error().code() != ErrorCode::partial)
            if (auto saved = journal_.save(former); !saved) outcome.warnings.push_back(saved.error().text());
        if (inventory_.hierarchy()) sweep(*inventory_.hierarchy());
        return std::move(done.error()).within("setting a limit on " + address);
    }
    outcome.warnings = executor.warnings();
    for (const auto rate : all_rates)
        if (before[rate] && *before[rate] != *wanted[rate])
            outcome.warnings.push_back(fmt::format(
                "{} was {} before, set by someone else; 'penstock clear' puts it back", name(rate), *before[rate]));
    return outcome;
}

Result<Outcome> Limiter::clear(const Inventory::Found& found, const DiskView& reported, const LimitFields& fields,
                               bool dry_run) {
    const auto& view = found.view;
    const auto address = address_of(view.instance, reported.disk.target);
    auto begun = begin(found, dry_run);
    if (!begun) return std::move(begun.error()).within("clearing " + address);
    auto& record = begun->record;
    auto* known = record.find(reported.disk.target);
    // A layer that has gone is cleared all the same, where it was.
    const auto chosen = view.at_layer(inventory_.roots(), reported, known == nullptr ? "" : known->layer);
    const auto& disk = chosen ? *chosen : reported;

    Outcome outcome{disk.disk.target,
                    choose_engine(view.facts(disk), {}, known == nullptr ? Engine::none : known->point.engine, true),
                    {},
                    {},
                    {}};
    const auto engine = known == nullptr ? outcome.choice.engine : known->point.engine;
    if (engine == Engine::none || (engine == Engine::cgroup && (!view.placement || view.placement->obstacle ||
                                                                (known == nullptr && !disk.chain.device))))
        return refusal(address, outcome.choice, engine);
    // A limit that is recorded is cleared where it was set, wherever the disk would be limited today.
    const auto point = known != nullptr && engine == Engine::cgroup ? known->point : point_of(view, disk, engine);

    auto executor = this->executor(found);
    auto now = executor.read(point);
    if (!now && !(engine == Engine::cgroup && now.error().code() == ErrorCode::gone))
        return std::move(now.error()).within("clearing " + address);

    Restore restore;
    Limits rest;
    if (known != nullptr) {
        // A device that has gone has taken all limits with it.
        if (engine != Engine::cgroup || disk.chain.device) restore.before = known->before;
        rest = without(known->wanted, fields);
    }
    const auto others = std::count_if(record.disks.begin(), record.disks.end(), [&](const DiskRecord& d) {
        return d.disk != disk.disk.target && d.point.engine == Engine::cgroup;
    });
    restore.last = rest.empty() && others == 0;
    restore.made_cgroup = record.made_cgroup && record.cgroup == point.cgroup;
    if (restore.made_cgroup && restore.last)
        restore.moved = way_back(inventory_.roots(), *inventory_.hierarchy(), record.moved);
    if (now) outcome.plan = plan_clear(point, {*now, std::nullopt, executor.unused(point)}, fields, restore);
    if (now && known != nullptr && fields.weight && engine == Engine::cgroup)
        plan_weights_back(outcome.plan, *inventory_.hierarchy(), record, *known);
    outcome.plan.point = point;
    outcome.verdict = {VerdictKind::enforced, {}, {}};
    if (dry_run) return outcome;

    if (auto done = executor.run(outcome.plan); !done) return std::move(done.error()).within("clearing " + address);
    outcome.warnings = executor.warnings();
    if (known == nullptr) return outcome;
    if (rest.empty())
        std::erase_if(record.disks, [&](const DiskRecord& d) { return d.disk == disk.disk.target; });
    else {
        known->wanted = rest;
        if (!rest.weight) known->weights.clear();
        for (const auto rate : all_rates)
            if (!rest[rate]) known->before[rate].reset();
    }
    if (restore.last) {
        record.made_cgroup = false;
        record.moved.clear();
    }
    if (auto saved = journal_.save(record); !saved)
        return std::move(saved.error()).within("recording the limit of " + address);
    if (inventory_.hierarchy()) sweep(*inventory_.hierarchy());
    return outcome;
}

} // namespace penstock
