// SPDX-License-Identifier: Apache-2.0
#include "cgroup/controls.hpp"

#include "cgroup/io_max.hpp"
#include "cgroup/lines.hpp"
#include "cgroup/throttle_v1.hpp"
#include "sys/block_device.hpp"

#include <fmt/format.h>

#include <set>

namespace penstock {
namespace {

constexpr std::uint64_t most_iops = 0xfffffffe; // 2^32-1 means "no limit" on both versions

} // namespace

std::vector<ControlWrite> control_writes(CgroupVersion version, DeviceNumber device, const Limits& before,
                                         const Limits& after) {
    std::vector<ControlWrite> writes;
    for (const auto rate : cgroup_rates) {
        if (before[rate] == after[rate]) continue;
        if (version == CgroupVersion::v2) return {{"io.max", format_io_max(device, after)}};
        writes.push_back({throttle_v1_file(rate), format_throttle_v1(device, after[rate])});
    }
    return writes;
}

Result<Limits> read_limits(const Cgroup& cgroup, DeviceNumber device, std::span<const Rate> rates) {
    if (cgroup.version() == CgroupVersion::v2) {
        const auto text = cgroup.read("io.max");
        if (!text) return text.error();
        return parse_io_max(*text, device);
    }
    Limits limits;
    for (const auto rate : rates) {
        const auto text = cgroup.read(throttle_v1_file(rate));
        if (!text) return text.error();
        limits[rate] = parse_throttle_v1(*text, device);
    }
    return limits;
}

Result<std::vector<DeviceNumber>> limited_devices(const Cgroup& cgroup) {
    std::vector<std::string> files{"io.max"};
    if (cgroup.version() == CgroupVersion::v1) {
        files.clear();
        for (const auto rate : cgroup_rates) files.push_back(throttle_v1_file(rate));
    }
    std::set<DeviceNumber> devices;
    for (const auto& file : files) {
        const auto text = cgroup.read(file);
        if (!text && text.error().sys_errno() == ENOENT) continue; // v2: the io controller is not enabled here
        if (!text) return text.error();
        for_each_line(*text, [&](std::string_view line) {
            if (const auto device = parse_device_number(take_word(line))) devices.insert(*device);
        });
    }
    return std::vector<DeviceNumber>{devices.begin(), devices.end()};
}

std::optional<Error> value_problem(CgroupVersion version, Rate rate, std::uint64_t value) {
    const auto bad = [&](std::string_view why) {
        return Error{ErrorCode::unsupported,
                     fmt::format("{} {} cannot be set on cgroup {}: {}", name(rate), value, name(version), why)};
    };
    if (is_total(rate))
        return bad("cgroups limit reads and writes each, they have no limit for both together")
            .advise("set the read and the write limit, or use --via native where the hypervisor has a limiter");
    if (version == CgroupVersion::v2 && value < 2) return bad("the least value is 2");
    if (!is_bandwidth(rate) && value > most_iops) return bad(fmt::format("the greatest value is {}", most_iops));
    return std::nullopt;
}

} // namespace penstock
