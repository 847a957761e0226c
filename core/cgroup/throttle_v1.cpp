// SPDX-License-Identifier: Apache-2.0
#include "cgroup/throttle_v1.hpp"

#include "cgroup/lines.hpp"

namespace penstock {

std::string throttle_v1_file(Rate rate) { return "blkio.throttle." + std::string{name(rate)} + "_device"; }

std::optional<std::uint64_t> parse_throttle_v1(std::string_view text, DeviceNumber device) {
    std::optional<std::uint64_t> value;
    for_each_line(text, [&](std::string_view line) {
        if (take_word(line) == device.text()) value = parse_number<std::uint64_t>(take_word(line));
    });
    return value;
}

std::string format_throttle_v1(DeviceNumber device, std::optional<std::uint64_t> value) {
    return device.text() + " " + std::to_string(value.value_or(0));
}

} // namespace penstock
