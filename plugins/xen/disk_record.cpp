// SPDX-License-Identifier: Apache-2.0
#include "disk_record.hpp"

#include "open_images.hpp"
#include "params.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace penstock::xen {

namespace {

void add_note(sdk::OwnedDisk& disk, std::string_view text) {
    disk.note.append(disk.note.empty() ? "" : "; ").append(text);
}

void set_device(sdk::OwnedLayer& layer, std::pair<std::uint32_t, std::uint32_t> number) {
    layer.kind = PENSTOCK_LAYER_BLOCK;
    layer.flags |= PENSTOCK_LAYER_HAS_RDEV;
    layer.rdev_major = number.first;
    layer.rdev_minor = number.second;
}

void set_cache(sdk::OwnedDisk& disk, sdk::OwnedLayer& layer, bool direct) {
    disk.cache_mode = direct ? PENSTOCK_CACHE_DIRECT : PENSTOCK_CACHE_BUFFERED;
    layer.flags |= direct ? PENSTOCK_LAYER_DIRECT : PENSTOCK_LAYER_BUFFERED;
}

// A file or block device of dom0.
void set_path(sdk::OwnedLayer& layer, const std::string& path) {
    layer.path = path;
    layer.kind = PENSTOCK_LAYER_FILE;
    struct stat status {};
    if (path.find('\0') == std::string::npos && ::stat(path.c_str(), &status) == 0 && S_ISBLK(status.st_mode))
        set_device(layer, {major(status.st_rdev), minor(status.st_rdev)});
}

// blkback sends each request straight to the block device, a loop device included: below that one it may well go
// through the page cache, but a limit acts above.
void describe_blkback(sdk::OwnedDisk& disk, const Vbd& vbd, const DiskFacts& facts) {
    disk.flags |= PENSTOCK_DISK_OWN_PROCESS;
    if (!facts.has_thread) add_note(disk, "no thread of blkback serves it now: its guest has not connected it");
    if (!vbd.block_device)
        return add_note(disk, "no block device has been attached to it: see 'xl block-list' and /var/log/xen");
    sdk::OwnedLayer layer;
    layer.format = "raw";
    set_device(layer, *vbd.block_device);
    set_cache(disk, layer, true);
    disk.layers.push_back(std::move(layer));
}

void describe_qdisk(sdk::OwnedDisk& disk, const Vbd& vbd, const DiskFacts& facts) {
    const auto params = parse_params(vbd.params);
    sdk::OwnedLayer layer;
    layer.format = params.format;
    if (params.path.empty()) {
        layer.kind = PENSTOCK_LAYER_NETWORK;
        layer.uri = params.uri;
        disk.layers.push_back(std::move(layer));
        return;
    }
    set_path(layer, params.path);
    // QEMU's own way to open it counts. Where that cannot be seen it is what xl asks for: the page cache.
    const auto images =
        facts.device_model == 0 ? std::vector<OpenImage>{} : open_images(facts.proc, facts.device_model);
    const auto open =
        std::find_if(images.begin(), images.end(), [&](const OpenImage& image) { return image.path == params.path; });
    const bool direct = open != images.end() && open->direct;
    set_cache(disk, layer, direct);
    if (!direct)
        add_note(disk, "QEMU opens it through the page cache, so that a limit does not act on writes: attach it as a "
                       "phy disk, or with backendtype=phy, which gives it a loop device");
    if (facts.device_model == 0) add_note(disk, "its QEMU is not known");
    disk.layers.push_back(std::move(layer));
}

// The tapdisk submits the I/O; what `params` names is only a handle of the storage manager.
void describe_tapdisk(sdk::OwnedDisk& disk, const Vbd& vbd, const DiskFacts& facts) {
    if (facts.tapdisk == 0) return add_note(disk, "no tapdisk serves it now");
    auto images = open_images(facts.proc, facts.tapdisk);
    // Its log, its shared memory and its rings are no images.
    std::erase_if(images, [&](const OpenImage& image) {
        return (!vbd.read_only && !image.writable) || image.path.starts_with("/dev/xen/") ||
               image.path.starts_with("/dev/shm/") || image.path.starts_with("/var/log/") ||
               image.path.starts_with("/run/") || image.path.starts_with("/var/run/");
    });
    if (images.size() != 1)
        return add_note(disk, "its tapdisk has " + std::to_string(images.size()) +
                                  " images open, so that it is not known which one is this disk's");
    sdk::OwnedLayer layer;
    layer.path = images[0].path;
    layer.kind = PENSTOCK_LAYER_FILE;
    if (images[0].block_device) set_device(layer, images[0].rdev);
    set_cache(disk, layer, images[0].direct);
    disk.layers.push_back(std::move(layer));
}

} // namespace

sdk::OwnedDisk describe(const Vbd& vbd, const DiskFacts& facts) {
    sdk::OwnedDisk disk;
    disk.target = vbd.target;
    disk.native_id = std::to_string(vbd.device);
    disk.driver = vbd.kind;
    disk.bus = "xen";
    if (vbd.read_only) disk.flags |= PENSTOCK_DISK_READ_ONLY;
    if (vbd.empty())
        disk.flags |= PENSTOCK_DISK_EMPTY;
    else if (vbd.backend != 0) {
        disk.layers.push_back({.kind = PENSTOCK_LAYER_OTHER, .format = "backend in " + facts.backend});
        add_note(disk, "its backend is " + facts.backend +
                           ", a driver domain: no process of this host submits its I/O, set the limit there");
    } else if (vbd.by_blkback())
        describe_blkback(disk, vbd, facts);
    else if (vbd.by_qemu())
        describe_qdisk(disk, vbd, facts);
    else
        describe_tapdisk(disk, vbd, facts);
    return disk;
}

} // namespace penstock::xen
