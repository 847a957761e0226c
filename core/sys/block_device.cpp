// SPDX-License-Identifier: Apache-2.0
#include "sys/block_device.hpp"

#include "base/number.hpp"
#include "sys/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace penstock {

std::string_view name(BlockKind kind) {
    switch (kind) {
    case BlockKind::disk: return "disk";
    case BlockKind::partition: return "partition";
    case BlockKind::loop: return "loop";
    case BlockKind::device_mapper: return "device-mapper";
    case BlockKind::md: return "md";
    case BlockKind::bcache: return "bcache";
    case BlockKind::zvol: return "zvol";
    case BlockKind::network: return "network";
    case BlockKind::memory: return "memory";
    }
    return "disk";
}

std::optional<DeviceNumber> parse_device_number(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto major = parse_number<std::uint32_t>(text.substr(0, colon));
    const auto minor = parse_number<std::uint32_t>(text.substr(colon + 1));
    if (!major || !minor) return std::nullopt;
    return DeviceNumber{*major, *minor};
}

std::string BlockDevice::identity() const {
    if (!dm_uuid.empty()) return "dm-uuid " + dm_uuid;
    if (!wwid.empty()) return "wwid " + wwid;
    if (!diskseq.empty()) return "diskseq " + diskseq;
    if (!backing_file.empty()) return "loop " + backing_file;
    return "name " + name;
}

namespace {

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// Absent files are normal: each kind of device has its own.
std::string optional_line(const std::string& path) {
    auto text = read_line(path);
    return text ? *std::move(text) : std::string{};
}

std::vector<DeviceNumber> slaves_of(const std::string& directory) {
    std::vector<DeviceNumber> out;
    for (const auto& name : entry_names(directory + "/slaves"))
        if (auto number = parse_device_number(optional_line(directory + "/slaves/" + name + "/dev")))
            out.push_back(*number);
    std::sort(out.begin(), out.end());
    return out;
}

BlockKind kind_of(const std::string& name) {
    struct Prefix {
        std::string_view text;
        BlockKind kind;
    };
    static constexpr std::array prefixes{
        Prefix{"loop", BlockKind::loop},     Prefix{"dm-", BlockKind::device_mapper}, Prefix{"md", BlockKind::md},
        Prefix{"bcache", BlockKind::bcache}, Prefix{"zd", BlockKind::zvol},           Prefix{"nbd", BlockKind::network},
        Prefix{"rbd", BlockKind::network},   Prefix{"drbd", BlockKind::network},      Prefix{"ram", BlockKind::memory},
        Prefix{"zram", BlockKind::memory},   Prefix{"pmem", BlockKind::memory}};
    for (const auto& prefix : prefixes)
        if (name.starts_with(prefix.text)) return prefix.kind;
    return BlockKind::disk;
}

// "mq-deadline [bfq] none": the one in brackets is in use.
std::string chosen_scheduler(const std::string& text) {
    const auto open = text.find('[');
    const auto close = text.find(']', open);
    return open == std::string::npos || close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
}

} // namespace

Result<BlockDevice> read_block_device(const Roots& roots, DeviceNumber number) {
    const auto link = roots.sys + "/dev/block/" + number.text();
    std::array<char, PATH_MAX> target;
    const auto n = ::readlink(link.c_str(), target.data(), target.size());
    if (n < 0) return Error::from_errno(errno, "looking for block device " + number.text() + " (" + link + ")");
    const std::string path{target.data(), static_cast<std::size_t>(n)};

    BlockDevice device;
    device.number = device.whole = number;
    device.name = device.whole_name = base_name(path);
    auto directory = link;
    if (!optional_line(link + "/partition").empty()) {
        device.kind = BlockKind::partition;
        directory = link + "/..";
        device.whole_name = base_name(path.substr(0, path.find_last_of('/')));
        const auto whole = parse_device_number(optional_line(directory + "/dev"));
        if (!whole) return Error{ErrorCode::gone, "partition " + device.name + " has lost its disk"};
        device.whole = *whole;
    } else {
        device.kind = kind_of(device.name);
    }
    device.below = slaves_of(link);
    device.diskseq = optional_line(directory + "/diskseq");
    device.scheduler = chosen_scheduler(optional_line(directory + "/queue/scheduler"));
    if (const auto whole_kind = kind_of(device.whole_name); whole_kind == BlockKind::loop) {
        device.backing_file = optional_line(directory + "/loop/backing_file");
        device.loop_direct_io = optional_line(directory + "/loop/dio") == "1";
    } else if (whole_kind == BlockKind::device_mapper) {
        device.dm_name = optional_line(directory + "/dm/name");
        device.dm_uuid = optional_line(directory + "/dm/uuid");
    } else {
        if (whole_kind == BlockKind::md) device.raid_level = optional_line(directory + "/md/level");
        device.wwid = optional_line(directory + "/wwid");
        if (device.wwid.empty()) device.wwid = optional_line(directory + "/device/wwid");
    }
    return device;
}

} // namespace penstock
