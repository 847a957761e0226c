// SPDX-License-Identifier: Apache-2.0
#include "plan/step.hpp"

#include "base/size.hpp"
#include "base/text.hpp"
#include "plan/descent.hpp"

#include <fmt/format.h>

namespace penstock {
namespace {

std::string fields_text(const LimitFields& fields) {
    std::string text;
    const auto add = [&](std::string_view word) { text += (text.empty() ? "" : " ") + std::string{word}; };
    if (fields == LimitFields::all()) return "all limits";
    for (const auto rate : all_rates) {
        if (fields.rates[index(rate)]) add(name(rate));
        if (fields.bursts[index(rate)]) add(std::string{name(rate)} + " burst");
    }
    if (fields.io_size) add("io_size");
    if (fields.group) add("group");
    if (fields.weight) add("weight");
    return text;
}

struct Describe {
    const Hierarchy* hierarchy;

    std::string directory(const std::string& cgroup) const {
        const auto found = hierarchy == nullptr ? std::nullopt : hierarchy->directory(cgroup);
        return printable(found.value_or(cgroup));
    }
    std::string operator()(const MakeCgroup& step) const { return "make cgroup " + directory(step.cgroup); }
    std::string operator()(const EnableIo& step) const {
        return fmt::format("write '+io' to {}/cgroup.subtree_control", directory(step.cgroup));
    }
    std::string operator()(const KeepIo& step) const {
        return fmt::format("ask systemd to keep the io controller on for {} (IOAccounting=yes)", printable(step.unit));
    }
    std::string operator()(const WriteControl& step) const {
        return fmt::format("write '{}' to {}/{}", step.write.text, directory(step.cgroup), step.write.file);
    }
    std::string operator()(const LowerControl& step) const {
        return fmt::format("{} ms later, write '{}' to {}/{}", rung_earliest.count(), step.write.text,
                           directory(step.cgroup), step.write.file);
    }
    std::string operator()(const Pause& step) const { return fmt::format("wait {} ms", step.time.count()); }
    std::string operator()(const MoveProcess& step) const {
        return fmt::format("write '{}' to {}/cgroup.procs (moves the whole process; it is in {} now)", step.process.pid,
                           directory(step.to), printable(step.process.from));
    }
    std::string operator()(const RemoveCgroup& step) const { return "remove cgroup " + directory(step.cgroup); }
    std::string operator()(const ApplyNative& step) const {
        return fmt::format("ask the hypervisor to set {} on {}", describe(step.change), printable(step.disk));
    }
    std::string operator()(const ClearNative& step) const {
        return fmt::format("ask the hypervisor to remove {} from {}", fields_text(step.fields), printable(step.disk));
    }
};

} // namespace

std::string describe(const Step& step, const Hierarchy* hierarchy) {
    return std::visit(Describe{hierarchy}, step.action);
}

std::string describe(const Limits& limits) {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    for (const auto rate : all_rates) {
        if (limits[rate])
            add(fmt::format("{}={}", name(rate),
                            is_bandwidth(rate) ? format_size(*limits[rate]) : std::to_string(*limits[rate])));
        if (const auto& burst = limits.burst(rate))
            add(fmt::format("{}_burst={}/{}s", name(rate),
                            is_bandwidth(rate) ? format_size(burst->rate) : std::to_string(burst->rate),
                            burst->seconds));
    }
    if (limits.io_size) add("io_size=" + format_size(*limits.io_size));
    if (limits.group) add("group=" + printable(*limits.group));
    if (limits.weight) add(fmt::format("weight={}", *limits.weight));
    return text.empty() ? "none" : text;
}

} // namespace penstock
