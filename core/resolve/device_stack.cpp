// SPDX-License-Identifier: Apache-2.0
#include "resolve/device_stack.hpp"

#include "base/text.hpp"
#include "resolve/file_location.hpp"

#include <fmt/format.h>

#include <set>

namespace penstock {
namespace {

constexpr int depth_cap = 16; // a stack deeper than this is shown cut off

// "LVM" of "LVM-Zq3...", "CRYPT" of "CRYPT-LUKS2-...": who made the mapping writes it into its uuid.
std::string_view dm_maker(const BlockDevice& device) {
    return std::string_view{device.dm_uuid}.substr(0, device.dm_uuid.find('-'));
}

// Why a limit on what is right below `device` does not act on all of the I/O; nullopt where it does.
std::optional<Obstacle> partial_below(const BlockDevice& device) {
    const auto instead = "limit " + device.name + " itself";
    if (device.kind == BlockKind::loop && !device.loop_direct_io)
        return Obstacle{fmt::format("{} writes to its file through the page cache, and the kernel writes that back in "
                                    "its own name",
                                    device.name),
                        instead + ", or 'losetup --direct-io=on /dev/" + device.name + "'"};
    if (device.kind == BlockKind::md && device.raid_level.starts_with("raid") && device.raid_level > "raid3")
        return Obstacle{fmt::format("the members of a {} are written to by md's own thread", device.raid_level),
                        instead};
    if (device.kind == BlockKind::bcache)
        return Obstacle{"bcache answers from its cache and writes back in its own name", instead};
    if (device.below.size() > 1)
        return Obstacle{fmt::format("{} spreads its I/O over {} devices, and this is one of them", device.name,
                                    device.below.size()),
                        instead};
    return std::nullopt;
}

class Stack {
public:
    Stack(const Roots& roots, std::vector<ChainLink>& links) : roots_{roots}, links_{links} {}

    // Cycles cannot occur in the kernel, but a captured tree may hold one.
    void add(const BlockDevice& device, int depth, const std::optional<Obstacle>& partial) {
        if (links_.size() >= link_cap) return;
        links_.push_back(device_link(device, depth));
        links_.back().partial = partial;
        if (depth > depth_cap || !seen_.insert(device.number).second) return;
        const auto inherited = partial ? partial : partial_below(device);
        if (device.kind == BlockKind::partition) below(device.whole, depth + 1, inherited);
        if (device.kind == BlockKind::loop) below_loop(device, depth + 1, inherited);
        for (const auto& number : device.below) below(number, depth + 1, inherited);
    }

private:
    void below(DeviceNumber number, int depth, const std::optional<Obstacle>& partial) {
        if (const auto device = read_block_device(roots_, number)) add(*device, depth, partial);
    }

    void below_loop(const BlockDevice& loop, int depth, const std::optional<Obstacle>& partial) {
        const auto location = locate_file(roots_, 0, loop.backing_file);
        if (!location || links_.size() >= link_cap) return;
        if (location->device) return below(*location->device, depth, partial);
        const std::string type = location->mount ? location->mount->fs_type : "unknown";
        links_.push_back({"file system", location->mount ? printable(location->mount->mount_point) : "", type,
                          location->file_system, depth});
        if (location->file_system.major_number != 0) below(location->file_system, depth + 1, partial);
    }

    const Roots& roots_;
    std::vector<ChainLink>& links_;
    std::set<DeviceNumber> seen_;
};

} // namespace

ChainLink device_link(const BlockDevice& device, int depth) {
    std::string detail;
    if (!device.dm_name.empty())
        detail = printable(fmt::format("{}{}{}", dm_maker(device), device.dm_uuid.empty() ? "" : " ", device.dm_name));
    if (device.kind == BlockKind::md) detail = printable(device.raid_level);
    if (device.kind == BlockKind::loop && !device.backing_file.empty())
        detail = fmt::format("holds {}{}", printable(device.backing_file),
                             device.loop_direct_io ? ", direct I/O" : ", through the page cache");
    return {std::string{name(device.kind)}, device.name, detail, device.number, depth, std::nullopt, device.dm_name};
}

void add_device_stack(const Roots& roots, const BlockDevice& top, int depth, std::vector<ChainLink>& links) {
    Stack{roots, links}.add(top, depth, std::nullopt);
}

} // namespace penstock
