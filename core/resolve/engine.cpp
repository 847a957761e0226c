// SPDX-License-Identifier: Apache-2.0
#include "resolve/engine.hpp"

#include "base/text.hpp"
#include "cgroup/controls.hpp"
#include "resolve/file_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace penstock {

std::string_view name(Engine engine) {
    switch (engine) {
    case Engine::none: return "none";
    case Engine::cgroup: return "cgroup";
    case Engine::native: return "native";
    }
    return "none";
}

std::optional<Engine> engine_from(std::string_view text) {
    if (text == "auto") return Engine::none;
    if (text == "cgroup") return Engine::cgroup;
    if (text == "native") return Engine::native;
    return std::nullopt;
}

namespace {

bool wants_write(const Limits& wanted) {
    return wanted.empty() || wanted.weight || wanted[Rate::write_bps] || wanted[Rate::write_iops] ||
           wanted[Rate::total_bps] || wanted[Rate::total_iops];
}

// What a cgroup has no words for.
std::optional<Obstacle> beyond_cgroup(const Limits& wanted, CgroupVersion version) {
    for (const auto rate : all_rates) {
        if (wanted.burst(rate)) return Obstacle{"cgroups have no bursts", "leave the burst out, or use --via native"};
        if (!wanted[rate]) continue;
        if (const auto problem = value_problem(version, rate, *wanted[rate]))
            return Obstacle{problem->text(), problem->next()};
    }
    if (wanted.io_size)
        return Obstacle{"cgroups have no request size for iops limits", "leave --io-size out, or use --via native"};
    if (wanted.group) return Obstacle{"cgroups have no throttle groups", "leave --group out, or use --via native"};
    return std::nullopt;
}

// Writes that go through the host's page cache reach the disk later, from a kernel thread. Whom they are charged to, if
// anybody, was measured (docs/stacks.md).
std::optional<Obstacle> lost_writeback(const DiskFacts& facts) {
    if (facts.disk->cache != CacheMode::buffered) return std::nullopt;
    const std::string remedy = "set the guest's disk to cache=none, or use --via native";
    if (facts.placement->hierarchy.version == CgroupVersion::v1)
        return Obstacle{"writes go through the host's page cache, and cgroup v1 does not charge writeback to who wrote",
                        remedy + ", or boot with cgroup v2"};
    if (!facts.chain->file_system.empty() && !charges_writeback(facts.chain->file_system))
        return Obstacle{fmt::format("writes go through the host's page cache, and {} does not charge writeback to who "
                                    "wrote",
                                    printable(facts.chain->file_system)),
                        remedy};
    if (!facts.placement->charges_memory)
        return Obstacle{"writes go through the host's page cache, and without the memory controller in the same cgroup "
                        "their writeback is not charged to who wrote",
                        remedy + ", or enable the memory controller for " + printable(facts.placement->cgroup)};
    return std::nullopt;
}

// What stays true where writeback is charged, or where some of the writes go around the page cache.
std::string page_cache_caveat(const DiskFacts& facts) {
    const bool v1 = facts.placement->hierarchy.version == CgroupVersion::v1;
    switch (facts.disk->cache) {
    case CacheMode::buffered:
        return v1 ? ""
                  : "writes go through the host's page cache: they are limited at writeback, and only where this "
                    "instance was the first to write to the file";
    case CacheMode::guest:
        if (v1)
            return "direct I/O, synchronous writes and reads are limited; writes that stay in the page cache are "
                   "written "
                   "back without a limit (cgroup v1)";
        if (!facts.chain->file_system.empty() && !charges_writeback(facts.chain->file_system))
            return fmt::format("direct I/O and reads are limited; {} writes the page cache back without a limit",
                               printable(facts.chain->file_system));
        if (!facts.placement->charges_memory)
            return "direct I/O and reads are limited; the page cache is written back without a limit, since the memory "
                   "controller is not on in the same cgroup";
        return "writes through the page cache are limited at writeback, and only where this instance was the first to "
               "write to the file";
    case CacheMode::unknown: return "it is not known whether writes go through the host's page cache";
    case CacheMode::direct: break;
    }
    return {};
}

EngineOption cgroup_option(const DiskFacts& facts, const Limits& wanted) {
    EngineOption option{.engine = Engine::cgroup};
    if (facts.placement == nullptr) {
        option.impossible = Obstacle{facts.no_hierarchy, "use --via native"};
        return option;
    }
    const auto& placement = *facts.placement;
    option.impossible = facts.chain->obstacle ? facts.chain->obstacle : placement.obstacle;
    if (!option.impossible && !facts.chain->device)
        option.impossible = Obstacle{"no block device is known for this disk", "use --via native"};
    if (!option.impossible) option.impossible = beyond_cgroup(wanted, placement.hierarchy.version);
    const auto* weighing = wanted.weight ? facts.weighing : nullptr;
    if (!option.impossible && weighing != nullptr) option.impossible = weighing->impossible;
    if (option.impossible) return option;

    option.needs_adopt = !placement.adopt.empty();
    option.caveats = facts.chain->notes;
    option.caveats.insert(option.caveats.end(), placement.notes.begin(), placement.notes.end());
    if (!facts.shares_device_with.empty())
        option.caveats.push_back(fmt::format(
            "{} of this instance also lies on {}: a limit there acts on all of them together",
            printable(fmt::format("{}", fmt::join(facts.shares_device_with, ", "))), facts.chain->device->name));
    option.ineffective = facts.chain->partial;
    if (!option.ineffective && wants_write(wanted)) option.ineffective = lost_writeback(facts);
    if (auto caveat = page_cache_caveat(facts); !caveat.empty() && wants_write(wanted))
        option.caveats.push_back(std::move(caveat));
    if (weighing != nullptr) {
        if (weighing->ineffective && !option.ineffective) {
            option.ineffective = weighing->ineffective;
            option.ineffective->reason = "the weight does not act: " + option.ineffective->reason;
        }
        option.caveats.insert(option.caveats.end(), weighing->caveats.begin(), weighing->caveats.end());
        for (const auto& place : weighing->places())
            if (auto text = clipping(place.policy, *wanted.weight); !text.empty()) option.caveats.push_back(text);
    }
    option.exact = facts.chain->own_device && facts.shares_device_with.empty() && placement.notes.empty() &&
                   !option.ineffective && facts.disk->cache == CacheMode::direct;
    return option;
}

// QEMU: "bps and bps_rd/bps_wr cannot be used at the same time".
std::optional<Obstacle> beyond_native(const Limits& wanted) {
    if (wanted.weight)
        return Obstacle{"a hypervisor's limiter knows no weights",
                        "set weight and rates both via cgroup, or leave the weight out"};
    const auto both = [&](Rate total, Rate read, Rate write) {
        return wanted[total] && (wanted[read] || wanted[write]);
    };
    if (both(Rate::total_bps, Rate::read_bps, Rate::write_bps) ||
        both(Rate::total_iops, Rate::read_iops, Rate::write_iops))
        return Obstacle{"QEMU takes a total limit or limits for read and write, not both",
                        "set either the total or the others"};
    return std::nullopt;
}

EngineOption native_option(const DiskFacts& facts, const Limits& wanted) {
    EngineOption option{.engine = Engine::native, .exact = true};
    if (!facts.disk->native_limit)
        option.impossible = Obstacle{facts.disk->note.empty() ? "this hypervisor has no limiter of its own for the disk"
                                                              : printable(facts.disk->note),
                                     "use a cgroup limit"};
    else
        option.impossible = beyond_native(wanted);
    return option;
}

std::string all_reasons(const EngineChoice& choice) {
    const auto reason = [](const EngineOption& o) {
        return o.impossible ? o.impossible->reason : o.ineffective ? o.ineffective->reason : std::string{};
    };
    return fmt::format("cgroup: {}; native: {}", reason(choice.cgroup), reason(choice.native));
}

} // namespace

EngineChoice choose_engine(const DiskFacts& facts, const Limits& wanted, Engine via, bool adopt) {
    EngineChoice choice{.cgroup = cgroup_option(facts, wanted), .native = native_option(facts, wanted)};
    const auto& cgroup = choice.cgroup;
    const bool allowed = !cgroup.needs_adopt || adopt;
    const auto take = [&](Engine engine, std::string why) {
        choice.engine = engine;
        choice.why = std::move(why);
        return choice;
    };
    if (via == Engine::native)
        return choice.native.impossible ? take(Engine::none, choice.native.impossible->reason)
                                        : take(via, "asked for with --via");
    if (via == Engine::cgroup) {
        if (cgroup.impossible) return take(Engine::none, cgroup.impossible->reason);
        return allowed ? take(via, "asked for with --via") : take(Engine::none, facts.placement->adopt);
    }
    // Set even where it does not act yet: the verdict says so, and the doctor can change that.
    if (wanted.weight && !cgroup.impossible)
        return allowed ? take(Engine::cgroup, "only a cgroup has weights")
                       : take(Engine::none, "only with --adopt: " + facts.placement->adopt);
    if (!cgroup.impossible && allowed && cgroup.exact)
        return take(Engine::cgroup, "the disk is a block device of its own and its I/O reaches it in this instance's "
                                    "name: steadier at low rates than the hypervisor's limiter");
    if (!choice.native.impossible)
        return take(Engine::native, cgroup.impossible    ? "a cgroup cannot do it: " + cgroup.impossible->reason
                                    : cgroup.ineffective ? "a cgroup limit would not act: " + cgroup.ineffective->reason
                                    : !allowed           ? "a cgroup limit needs --adopt: " + facts.placement->adopt
                                    : cgroup.caveats.empty()
                                        ? "the hypervisor's limiter acts on exactly this disk"
                                        : "a cgroup limit would be less exact: " + cgroup.caveats.front());
    if (!cgroup.impossible && !cgroup.ineffective)
        return allowed ? take(Engine::cgroup, "the hypervisor has no limiter of its own for this disk")
                       : take(Engine::none, "only with --adopt: " + facts.placement->adopt);
    return take(Engine::none, all_reasons(choice));
}

} // namespace penstock
