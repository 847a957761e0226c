// SPDX-License-Identifier: Apache-2.0
#include "cgroup/weight.hpp"

#include "cgroup/lines.hpp"
#include "model/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace penstock {
namespace {

struct Scale {
    std::string_view name;
    std::string_view file; // without "_device"
    std::uint32_t normal, least, most;
};

Scale scale_of(WeightPolicy policy) {
    switch (policy) {
    case WeightPolicy::iocost: return {"iocost", "io.weight", 100, 1, 10000};
    case WeightPolicy::cfq: return {"CFQ", "blkio.weight", 500, 10, 1000};
    case WeightPolicy::bfq: break;
    }
    return {"BFQ", "bfq.weight", 100, 1, 1000};
}

// v2 has one file for the cgroup and its devices, v1 one for each.
std::string file_of(CgroupVersion version, WeightPolicy policy, bool of_device) {
    std::string file{scale_of(policy).file};
    if (policy == WeightPolicy::bfq) file = (version == CgroupVersion::v1 ? "blkio." : "io.") + file;
    return version == CgroupVersion::v1 && of_device ? file + "_device" : file;
}

} // namespace

std::string_view name(WeightPolicy policy) { return scale_of(policy).name; }

std::optional<WeightPolicy> weight_policy_from(std::string_view text) {
    for (const auto policy : {WeightPolicy::bfq, WeightPolicy::iocost, WeightPolicy::cfq})
        if (text == name(policy)) return policy;
    return std::nullopt;
}

std::uint32_t kernel_default(WeightPolicy policy) { return scale_of(policy).normal; }

std::uint32_t kernel_weight(WeightPolicy policy, std::uint32_t weight) {
    const auto scale = scale_of(policy);
    return std::clamp(weight * (scale.normal / default_weight), scale.least, scale.most);
}

std::uint32_t weight_of(WeightPolicy policy, std::uint32_t kernel_weight) {
    const auto factor = scale_of(policy).normal / default_weight;
    return std::clamp((kernel_weight + factor / 2) / factor, least_weight, most_weight);
}

std::string clipping(WeightPolicy policy, std::uint32_t weight) {
    const auto scale = scale_of(policy);
    const auto factor = scale.normal / default_weight;
    if (weight * factor > scale.most)
        return fmt::format("{}'s weights end at {}: {} counts as {}", scale.name, scale.most / factor, weight,
                           scale.most / factor);
    if (weight * factor < scale.least)
        return fmt::format("{}'s weights begin at {}: {} counts as {}", scale.name, scale.least / factor, weight,
                           scale.least / factor);
    return {};
}

ControlWrite weight_write(CgroupVersion version, const WeightPlace& place, std::optional<std::uint32_t> value) {
    return {file_of(version, place.policy, true),
            place.device.text() + " " + (value ? std::to_string(*value) : "default")};
}

std::optional<std::uint32_t> parse_weight(std::string_view text, const std::optional<DeviceNumber>& device) {
    std::optional<std::uint32_t> value;
    for_each_line(text, [&](std::string_view line) {
        const auto first = take_word(line);
        if (device ? first == device->text() : first == "default")
            value = parse_number<std::uint32_t>(take_word(line));
        else if (!device && line.empty())
            value = parse_number<std::uint32_t>(first); // v1: the number alone
    });
    return value;
}

Result<std::optional<std::uint32_t>> read_weight(const Cgroup& cgroup, const WeightPlace& place) {
    const auto text = cgroup.read(file_of(cgroup.version(), place.policy, true));
    if (!text) return text.error();
    return parse_weight(*text, place.device);
}

std::optional<std::uint32_t> effective_weight(const Cgroup& cgroup, WeightPolicy policy, DeviceNumber device) {
    if (const auto own = read_weight(cgroup, {policy, device}); own && *own) return *own;
    const auto text = cgroup.read(file_of(cgroup.version(), policy, false));
    return text ? parse_weight(*text, std::nullopt) : std::nullopt;
}

} // namespace penstock
