// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/device_number.hpp"
#include "sys/roots.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

enum class BlockKind : std::uint8_t { disk, partition, loop, device_mapper, md, bcache, zvol, network, memory };

std::string_view name(BlockKind kind);

// A block device as sysfs describes it.
struct BlockDevice {
    DeviceNumber number;
    std::string name; // kernel name: sda1, dm-0, loop3
    BlockKind kind = BlockKind::disk;
    DeviceNumber whole; // of a partition its disk, of everything else itself
    std::string whole_name;
    std::string backing_file; // loop: empty when nothing is attached
    bool loop_direct_io = false;
    std::string dm_name;
    std::string dm_uuid;
    std::string raid_level;          // md: "raid1"
    std::vector<DeviceNumber> below; // sysfs slaves: what it is made of
    std::string diskseq;             // differs after each attach of a medium (Linux 5.15)
    std::string wwid;
    std::string scheduler; // the one in use; empty: none or bio-based

    // What the number stood for: a number is recycled, this is not.
    std::string identity() const;
};

// GONE where no device has this number.
Result<BlockDevice> read_block_device(const Roots& roots, DeviceNumber number);

std::optional<DeviceNumber> parse_device_number(std::string_view text);

} // namespace penstock
