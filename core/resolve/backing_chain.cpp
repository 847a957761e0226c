// SPDX-License-Identifier: Apache-2.0
#include "resolve/backing_chain.hpp"

#include "base/text.hpp"
#include "resolve/file_location.hpp"
#include "resolve/file_system.hpp"
#include "sys/btrfs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

// The value of `key` in mount options: "rw,lowerdir=/l,upperdir=/u,workdir=/w".
std::string mount_option(std::string_view options, std::string_view key) {
    while (!options.empty()) {
        const auto end = std::min(options.find(','), options.size());
        const auto option = options.substr(0, end);
        if (option.starts_with(key) && option.substr(key.size()).starts_with('='))
            return std::string{option.substr(key.size() + 1)};
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return {};
}

class Walk {
public:
    Walk(const Roots& roots, const Instance& instance, const Disk& disk)
        : roots_{roots}, instance_{instance}, disk_{disk} {}

    BackingChain run() {
        if (disk_.empty) return stop("the drive holds no medium", "insert a medium first");
        if (disk_.layers.empty())
            return stop("the hypervisor does not say what is behind this disk", "see the note of 'penstock show'");
        // Writes go to the top layer; the layers below it are only read where the guest has not written yet.
        layer(disk_.layers.front());
        if (disk_.layers.front().kind !=
            LayerKind::directory) // below a directory is what holds it: the walk has found that itself
            for (std::size_t i = 1; i < disk_.layers.size(); ++i) lower_layer(disk_.layers[i]);
        return std::move(chain_);
    }

private:
    BackingChain stop(std::string reason, std::string remedy) {
        obstacle(std::move(reason), std::move(remedy));
        return std::move(chain_);
    }
    void obstacle(std::string reason, std::string remedy) {
        chain_.obstacle = Obstacle{std::move(reason), std::move(remedy)};
    }
    void link(ChainLink added) {
        if (chain_.links.size() < link_cap) chain_.links.push_back(std::move(added));
    }

    void layer(const Layer& top) {
        switch (top.kind) {
        case LayerKind::network:
            link({"network", printable(top.uri.empty() ? top.path : top.uri), top.format, std::nullopt, 0});
            return obstacle("the image is reached over the network: no block device of this host carries its I/O",
                            "use the hypervisor's own limiter (--via native)");
        case LayerKind::block: return block_node(top);
        case LayerKind::file:
        case LayerKind::directory: return file(top);
        case LayerKind::unknown:
        case LayerKind::other: break;
        }
        link({"other", printable(top.path), top.format, std::nullopt, 0});
        obstacle("a layer of kind '" + printable(top.format) + "' is not known to reach a block device of this host",
                 "use --via native");
    }

    void block_node(const Layer& top) {
        auto number = top.device;
        if (!number) {
            const auto location = locate_file(roots_, instance_.root_pid, top.path);
            if (!location) return obstacle(location.error().text(), "check that the device is still attached");
            number = location->device;
            if (!number)
                return obstacle(printable(top.path) + " is not a block device", "check the disk's configuration");
        }
        limit_device(*number, true, 0);
        if (!top.path.empty() && !chain_.links.empty() && chain_.links[0].detail.empty())
            chain_.links[0].detail = printable(top.path);
    }

    void file(const Layer& top) {
        const bool directory = top.kind == LayerKind::directory;
        link({directory ? "directory" : "image", printable(top.path), top.format, std::nullopt, 0});
        auto location = locate_file(roots_, instance_.root_pid, top.path);
        if (!location && !top.file_system)
            return obstacle(location.error().text(), "check that the file is still there");
        const auto number = location ? location->file_system : *top.file_system;
        const auto mount = location ? location->mount : std::nullopt;
        file_system(number, mount, 1);
    }

    // The device below a file system. Anonymous device numbers (0:N) belong to no block device.
    void file_system(DeviceNumber number, const std::optional<Mount>& mount, int depth) {
        const std::string type = mount ? mount->fs_type : "unknown";
        link({"file system", mount ? printable(mount->mount_point) : number.text(), type, number, depth});
        chain_.file_system = type;
        switch (file_system_kind(type)) {
        case FileSystemKind::memory:
            return obstacle(type + " lives in memory: there is no disk I/O to limit", "limit its memory instead");
        case FileSystemKind::network:
            return obstacle(type + " is no block device of this host", "limit at the server, or use --via native");
        case FileSystemKind::fuse:
            return obstacle(type + ": the I/O is done by the file system's own process, in its name",
                            "use --via native, or limit that process");
        case FileSystemKind::zfs:
            return obstacle("ZFS issues the I/O from its own threads, so that no cgroup limit sees it",
                            "use --via native, or a zvol with it");
        case FileSystemKind::overlay: return overlay(mount, depth);
        case FileSystemKind::btrfs:
            if (mount) return btrfs(mount->source, depth);
            break;
        case FileSystemKind::device: break;
        }
        if (number.major_number != 0) return limit_device(number, false, depth + 1);
        obstacle("file system " + type + " has no block device of its own (" + number.text() + ")", "use --via native");
    }

    // Btrfs files carry an anonymous number; the mount's source is one of its devices.
    void btrfs(const std::string& source, int depth) {
        const auto location = locate_file(roots_, 0, source);
        if (!location || !location->device)
            return obstacle("btrfs is mounted from " + printable(source) + ", which is no block device here",
                            "use --via native");
        const auto members = btrfs_devices(roots_, *location->device);
        limit_device(*location->device, false, depth + 1);
        if (members.size() < 2 || !chain_.device) return;
        chain_.partial = Obstacle{fmt::format("this Btrfs spreads its I/O over {} devices, and {} is one of them",
                                              members.size(), chain_.device->name),
                                  "use --via native, or one md or LVM device below Btrfs"};
        for (const auto& member : members)
            if (member != *location->device)
                if (const auto device = read_block_device(roots_, member)) {
                    link(device_link(*device, depth + 1));
                    chain_.links.back().partial = chain_.partial;
                }
    }

    // Writes go to the upper directory, which the plugin reports or the mount names.
    void overlay(const std::optional<Mount>& mount, int depth) {
        const auto upper = std::find_if(disk_.layers.begin() + 1, disk_.layers.end(),
                                        [](const Layer& l) { return l.file_system || l.device; });
        const bool reported = upper != disk_.layers.end();
        const auto path = reported ? upper->path : mount ? mount_option(mount->super_options, "upperdir") : "";
        link({"directory", printable(path), "upper directory: takes all writes", std::nullopt, depth});
        if (reported && upper->device) return limit_device(*upper->device, false, depth + 1);
        const auto location = locate_file(roots_, 0, path);
        const bool same = location && (!reported || location->file_system == *upper->file_system);
        if (same && !(location->mount && location->mount->fs_type == "overlay"))
            return file_system(location->file_system, location->mount, depth + 1);
        if (reported) return file_system(*upper->file_system, std::nullopt, depth + 1);
        obstacle("the directory that an overlay writes to is not known", "limit the disk of its upper directory");
    }

    // A layer of an image that is only read: where it lies elsewhere, its reads are not covered by a limit on the top
    // layer's device.
    void lower_layer(const Layer& lower) {
        if (lower.kind == LayerKind::network) {
            link({"network", printable(lower.uri), lower.format + ", read only where the layer above has no data",
                  std::nullopt, 0});
            chain_.notes.push_back("reads that fall through to " + printable(lower.uri) + " are not covered");
            return;
        }
        if (lower.path.empty()) return;
        std::optional<DeviceNumber> number = lower.device ? lower.device : lower.file_system;
        if (!number)
            if (const auto location = locate_file(roots_, instance_.root_pid, lower.path))
                number = location->device ? location->device : std::optional{location->file_system};
        link({"image", printable(lower.path), lower.format + ", read only where the layer above has no data", number,
              0});
        if (!number || !chain_.device) return;
        const auto device = read_block_device(roots_, *number);
        if (device && device->whole != chain_.device->number)
            chain_.notes.push_back(
                fmt::format("reads that fall through to {} ({}) are not covered", printable(lower.path), device->name));
    }

    // The device that a limit names, then what it is made of.
    void limit_device(DeviceNumber number, bool is_disk_itself, int depth) {
        auto device = read_block_device(roots_, number);
        if (!device) return obstacle(device.error().text(), "check that the device is still attached");
        if (device->kind == BlockKind::zvol) {
            link(device_link(*device, depth));
            return obstacle("a zvol's I/O is issued by ZFS's own threads, so that no cgroup limit sees it",
                            "use --via native");
        }
        chain_.own_device = is_disk_itself && device->kind != BlockKind::partition;
        if (device->kind == BlockKind::partition) {
            chain_.notes.push_back(fmt::format("{} is a partition, which the kernel cannot limit: the limit acts on "
                                               "all of {} as far as this instance uses it",
                                               device->name, device->whole_name));
            link(device_link(*device, depth++));
            device = read_block_device(roots_, device->whole);
            if (!device) return obstacle(device.error().text(), "check that the device is still attached");
        }
        chain_.device = *device;
        add_device_stack(roots_, *device, depth, chain_.links);
    }

    const Roots& roots_;
    const Instance& instance_;
    const Disk& disk_;
    BackingChain chain_;
};

} // namespace

BackingChain resolve_chain(const Roots& roots, const Instance& instance, const Disk& disk) {
    return Walk{roots, instance, disk}.run();
}

} // namespace penstock
