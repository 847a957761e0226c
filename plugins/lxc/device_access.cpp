// SPDX-License-Identifier: Apache-2.0
#include "device_access.hpp"

#include "text.hpp"

#include <penstock/text.hpp>

namespace penstock::lxc {

DeviceAccess device_access(std::string_view list, std::uint32_t major, std::uint32_t minor) {
    const auto matches = [](std::string_view pattern, std::uint32_t value) {
        return pattern == "*" || sdk::number<std::uint32_t>(pattern) == value;
    };
    DeviceAccess access{false, false};
    while (!list.empty()) {
        auto line = take_until(list, '\n'); // "b 7:* rwm"
        const auto type = take_until(line, ' ');
        const auto wanted_major = take_until(line, ':');
        const auto wanted_minor = take_until(line, ' ');
        if ((type != "b" && type != "a") || !matches(wanted_major, major) || !matches(wanted_minor, minor)) continue;
        access.read = access.read || line.find('r') != std::string_view::npos;
        access.write = access.write || line.find('w') != std::string_view::npos;
    }
    return access;
}

} // namespace penstock::lxc
