// SPDX-License-Identifier: Apache-2.0
#include "observe/status.hpp"

#include "base/text.hpp"
#include "enforce/executor.hpp"
#include "enforce/limiter.hpp"
#include "enforce/weights.hpp"
#include "resolve/address.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

Verdict drifted(const Instance& instance, const std::string& disk, std::string reason) {
    return {VerdictKind::drifted, std::move(reason),
            fmt::format("'penstock set {}' applies it again", address_of(instance, disk))};
}

// Fields of ours that are not as we set them.
std::string differences(const Limits& wanted, const Limits& seen) {
    std::string text;
    const auto add = [&](std::string part) { text += (text.empty() ? "" : "; ") + std::move(part); };
    for (const auto rate : all_rates) {
        if (!wanted[rate]) continue;
        if (!seen[rate])
            add(fmt::format("{} {} has been removed", name(rate), *wanted[rate]));
        else if (*seen[rate] != *wanted[rate])
            add(fmt::format("{} is {}, not {}", name(rate), *seen[rate], *wanted[rate]));
        if (wanted.burst(rate) && wanted.burst(rate) != seen.burst(rate))
            add(fmt::format("the burst of {} is another one", name(rate)));
    }
    if (wanted.io_size && wanted.io_size != seen.io_size) add("io_size is another one");
    if (wanted.group && wanted.group != seen.group) add("the group is another one");
    return text;
}

// Where a limit of ours should be found today, against where it was set.
std::string moved_away(const InstanceView& view, const DiskView& disk, const DiskRecord& record) {
    if (record.point.engine != Engine::cgroup) return {};
    if (!view.placement || view.placement->obstacle)
        return view.placement ? view.placement->obstacle->reason : view.no_hierarchy;
    if (view.placement->cgroup != record.point.cgroup || !view.placement->moves.empty())
        return fmt::format("its processes are not in {} any more", printable(record.point.cgroup));
    if (!disk.chain.device) return disk.chain.obstacle ? disk.chain.obstacle->reason : "its device has gone";
    if (disk.chain.device->number != record.point.device || disk.chain.device->identity() != record.device_identity)
        return fmt::format("it lies on {} ({}) now, not on {} ({})", disk.chain.device->name,
                           printable(disk.chain.device->identity()), record.point.device_name,
                           printable(record.device_identity));
    return {};
}

class Check {
public:
    Check(Inventory& inventory, const InstanceView& view, const InstanceRecord* record, Depth depth)
        : roots_{inventory.roots()}, view_{view}, record_{record}, depth_{depth}, plugin_{inventory.plugins().find(
                                                                                      view.instance.key.kind)},
          executor_{inventory.roots(), inventory.hierarchy() ? &*inventory.hierarchy() : nullptr, plugin_},
          hierarchy_{inventory.hierarchy() ? &*inventory.hierarchy() : nullptr} {}

    DiskStatus run(const DiskView& reported) {
        const auto* known = find_record(reported.disk.target);
        DiskStatus status{.disk = reported.disk.target};
        const auto chosen = view_.at_layer(roots_, reported, known == nullptr ? "" : known->layer);
        const auto& disk = chosen ? *chosen : reported;
        if (hierarchy_ != nullptr && disk.chain.device &&
            (depth_ == Depth::live || (known != nullptr && known->wanted.weight)))
            status.weighing = weigh(roots_, *hierarchy_, *disk.chain.device);
        auto facts = view_.facts(disk);
        if (status.weighing) facts.weighing = &*status.weighing;
        if (known != nullptr) {
            status.choice = choose_engine(facts, known->wanted, known->point.engine, true);
            status.wanted = known->wanted;
            status.point = known->point;
            status.verdict =
                chosen ? judge(disk, *known, status) : drifted(view_.instance, known->disk, chosen.error().text());
        } else {
            status.choice = choose_engine(facts, {}, Engine::none, false);
            look_around(disk, status);
        }
        count(status);
        return status;
    }

private:
    const DiskRecord* find_record(const std::string& target) const {
        if (record_ == nullptr) return nullptr;
        const auto found = std::find_if(record_->disks.begin(), record_->disks.end(),
                                        [&](const DiskRecord& d) { return d.disk == target; });
        return found == record_->disks.end() ? nullptr : &*found;
    }

    Verdict judge(const DiskView& disk, const DiskRecord& known, DiskStatus& status) {
        const auto& instance = view_.instance;
        if (record_->key.incarnation != instance.key.incarnation)
            return drifted(instance, known.disk, "the instance has been started anew since the limit was set");
        if (known.released)
            return drifted(instance, known.disk,
                           "it was lifted by 'penstock release', for the removal of " + known.point.device_name);
        if (auto why = moved_away(view_, disk, known); !why.empty())
            return drifted(instance, known.disk, std::move(why));
        if (known.point.engine == Engine::native && disk.disk.native_id != known.point.native_id)
            return drifted(instance, known.disk, "the disk has been plugged in anew");
        const auto seen = executor_.read(known.point);
        if (!seen && seen.error().code() == ErrorCode::gone)
            return drifted(instance, known.disk, "what it was set on has gone: " + seen.error().text());
        if (!seen) return {VerdictKind::failed, seen.error().text(), seen.error().next()};
        status.seen = *seen;
        if (auto why = differences(known.wanted, *seen); !why.empty())
            return drifted(instance, known.disk, std::move(why));
        if (known.wanted.weight)
            if (auto why = weight_trouble(known, status); !why.empty())
                return drifted(instance, known.disk, std::move(why));
        return verdict_of(status.choice.option());
    }

    // Where nothing shares the device out any more, the kernel has dropped its weights: that is not drift.
    std::string weight_trouble(const DiskRecord& known, DiskStatus& status) {
        if (!status.weighing || status.weighing->ineffective || status.weighing->impossible) return {};
        const auto difference = weight_difference(*hierarchy_, *status.weighing, known);
        if (!difference) return difference.error().text();
        if (difference->empty()) status.seen.weight = known.wanted.weight;
        return *difference;
    }

    // Limits that others have set: in the instance's cgroup, and with the hypervisor's limiter.
    void look_around(const DiskView& disk, DiskStatus& status) {
        if (view_.placement && !view_.placement->obstacle && !view_.placement->create && disk.chain.device) {
            status.point = {.engine = Engine::cgroup,
                            .version = view_.placement->hierarchy.version,
                            .cgroup = view_.placement->cgroup,
                            .device = disk.chain.device->number,
                            .device_name = disk.chain.device->name};
            if (const auto seen = executor_.read(status.point)) status.seen = *seen;
            if (status.weighing) status.seen.weight = foreign_weight(status);
        }
        if (!status.seen.empty() || depth_ == Depth::recorded || !disk.disk.native_limit || plugin_ == nullptr) return;
        const LimitPoint native{.engine = Engine::native, .key = view_.instance.key, .native_id = disk.disk.native_id};
        const auto seen = executor_.read(native);
        if (!seen || seen->empty()) return;
        status.point = native;
        status.seen = *seen;
    }

    // The kernel's own weight is nobody's.
    std::optional<std::uint32_t> foreign_weight(const DiskStatus& status) {
        const auto cgroup = Cgroup::open(*hierarchy_, status.point.cgroup);
        if (!cgroup) return std::nullopt;
        for (const auto& found : status.weighing->devices)
            for (const auto policy : found.policies)
                if (const auto weight = effective_weight(*cgroup, policy, found.device.number);
                    weight && *weight != kernel_default(policy))
                    return weight_of(policy, *weight);
        return std::nullopt;
    }

    void count(DiskStatus& status) {
        if (status.point.engine != Engine::cgroup || hierarchy_ == nullptr) return;
        const auto cgroup = Cgroup::open(*hierarchy_, status.point.cgroup);
        if (!cgroup) return;
        if (const auto counters = read_io_counters(*cgroup, status.point.device)) status.counters = *counters;
    }

    const Roots& roots_;
    const InstanceView& view_;
    const InstanceRecord* record_;
    Depth depth_;
    Plugin* plugin_;
    Executor executor_;
    const Hierarchy* hierarchy_;
};

} // namespace

std::vector<DiskStatus> check(Inventory& inventory, const InstanceView& view, const InstanceRecord* record,
                              Depth depth) {
    Check check{inventory, view, record, depth};
    std::vector<DiskStatus> out;
    for (const auto& disk : view.disks) out.push_back(check.run(disk));
    return out;
}

} // namespace penstock
