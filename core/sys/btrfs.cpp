// SPDX-License-Identifier: Apache-2.0
#include "sys/btrfs.hpp"

#include "sys/block_device.hpp"
#include "sys/file.hpp"

#include <algorithm>

namespace penstock {

std::vector<DeviceNumber> btrfs_devices(const Roots& roots, DeviceNumber member) {
    const auto base = roots.sys + "/fs/btrfs";
    for (const auto& uuid : entry_names(base)) {
        std::vector<DeviceNumber> devices;
        const auto directory = base + "/" + uuid + "/devices/";
        for (const auto& name : entry_names(directory))
            if (const auto line = read_line(directory + name + "/dev"))
                if (const auto number = parse_device_number(*line)) devices.push_back(*number);
        if (std::find(devices.begin(), devices.end(), member) == devices.end()) continue;
        std::sort(devices.begin(), devices.end());
        return devices;
    }
    return {};
}

} // namespace penstock
