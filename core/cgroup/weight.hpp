// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup/cgroup.hpp"
#include "cgroup/controls.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

// What shares a device out by weight. Each has files of its own, and none looks at those of another: io.weight means
// nothing to BFQ (measured, Linux 6.1).
enum class WeightPolicy : std::uint8_t {
    bfq,    // v1 blkio.bfq.weight, v2 io.bfq.weight (Documentation/block/bfq-iosched.rst)
    iocost, // v2 io.weight (Documentation/admin-guide/cgroup-v2.rst)
    cfq,    // v1 blkio.weight, before Linux 5.0
};

std::string_view name(WeightPolicy policy);
std::optional<WeightPolicy> weight_policy_from(std::string_view name);

// Where a cgroup keeps its weight for one device. The weight that it has for all other devices is never written: it
// would count for more than was asked, and writing it makes BFQ forget the weights of single devices (measured, 6.18).
struct WeightPlace {
    WeightPolicy policy = WeightPolicy::bfq;
    DeviceNumber device;
    bool operator==(const WeightPlace&) const = default;
};

// The weight of 1 to 10000 on the scale of a policy. The default goes to the policy's own default, so that ratios hold
// against cgroups that have no weight too; what lies beyond the ends of the scale becomes its end.
std::uint32_t kernel_weight(WeightPolicy policy, std::uint32_t weight);
// The nearest weight of 1 to 10000.
std::uint32_t weight_of(WeightPolicy policy, std::uint32_t kernel_weight);
// "BFQ's weights end at 1000: 5000 counts as 1000"; empty where the weight fits.
std::string clipping(WeightPolicy policy, std::uint32_t weight);
std::uint32_t kernel_default(WeightPolicy policy);

// The write that sets a place; nullopt takes the device's own weight away.
ControlWrite weight_write(CgroupVersion version, const WeightPlace& place, std::optional<std::uint32_t> value);

// What a place holds, on the scale of its policy; nullopt: the device has no weight of its own.
Result<std::optional<std::uint32_t>> read_weight(const Cgroup& cgroup, const WeightPlace& place);
// The same of a file's text; without a device, what the cgroup has for all others.
std::optional<std::uint32_t> parse_weight(std::string_view text, const std::optional<DeviceNumber>& device);

// The weight that counts for a device, on the scale of the policy: its own, or the cgroup's. nullopt where the cgroup
// has no file for it.
std::optional<std::uint32_t> effective_weight(const Cgroup& cgroup, WeightPolicy policy, DeviceNumber device);

} // namespace penstock
