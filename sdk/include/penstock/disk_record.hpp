// SPDX-License-Identifier: Apache-2.0
//
// penstock/disk_record.hpp - a disk and its layers that own their strings until they are emitted. Plain values: one
// object is for one thread at a time. Works with -fno-exceptions.
//
// What a plugin knows beyond it goes into a struct of its own, which emit() takes as well:
//
//     struct MyDisk : penstock::sdk::OwnedDisk { std::string device_path; };
//
// Build with -fvisibility=hidden, as docs/plugins.md does: these types are hidden, and so must be what derives from
// them.
#ifndef PENSTOCK_DISK_RECORD_HPP
#define PENSTOCK_DISK_RECORD_HPP

#include <penstock/plugin.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace penstock {
namespace sdk PENSTOCK_HIDDEN {
inline namespace v1 {

// Each field is that of the same name in penstock_layer.
struct OwnedLayer {
    std::uint32_t kind = PENSTOCK_LAYER_UNKNOWN;
    std::uint32_t flags = 0;
    std::string format, path, uri, node;
    std::uint32_t st_dev_major = 0, st_dev_minor = 0; // with PENSTOCK_LAYER_HAS_ST_DEV
    std::uint32_t rdev_major = 0, rdev_minor = 0;     // with PENSTOCK_LAYER_HAS_RDEV
};

// Each field is that of the same name in penstock_disk.
struct OwnedDisk {
    std::string target;
    std::string native_id;
    std::string driver;
    std::string bus;
    std::string note;
    std::uint32_t flags = 0;
    std::uint32_t cache_mode = PENSTOCK_CACHE_UNKNOWN;
    std::vector<OwnedLayer> layers; // from the guest down to the base
};

// The sink borrows from `disk` for the time of the call. False: the host wants no more.
inline bool emit(const OwnedDisk& disk, const Sink<penstock_disk>& sink) {
    std::vector<penstock_layer> layers;
    layers.reserve(disk.layers.size());
    for (const auto& layer : disk.layers) {
        penstock_layer record{};
        record.struct_size = sizeof record;
        record.kind = layer.kind;
        record.flags = layer.flags;
        record.format = str(layer.format);
        record.path = str(layer.path);
        record.uri = str(layer.uri);
        record.node = str(layer.node);
        record.st_dev_major = layer.st_dev_major;
        record.st_dev_minor = layer.st_dev_minor;
        record.rdev_major = layer.rdev_major;
        record.rdev_minor = layer.rdev_minor;
        layers.push_back(record);
    }
    penstock_disk record{};
    record.flags = disk.flags;
    record.cache_mode = disk.cache_mode;
    record.layer_count = static_cast<std::uint32_t>(layers.size());
    record.layer_stride = sizeof(penstock_layer);
    record.layers = layers.data();
    record.target = str(disk.target);
    record.native_id = str(disk.native_id);
    record.driver = str(disk.driver);
    record.bus = str(disk.bus);
    record.note = str(disk.note);
    return sink(record);
}

// Gives each disk of an instance a target that no other one has: "vda", "vda-2", "vda-3", ... The same disks in the
// same order get the same targets.
class UniqueTargets {
public:
    // `wanted`, or what comes next of it where that is taken; it is taken from now on.
    std::string take(std::string wanted) {
        if (taken_.insert(wanted).second) return wanted;
        auto& suffix = next_.try_emplace(wanted, 2u).first->second; // hundreds may want the same one
        while (true) {
            auto target = wanted + "-" + std::to_string(suffix++);
            if (taken_.insert(target).second) return target;
        }
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::uint32_t> next_;
};

} // namespace v1
} // namespace PENSTOCK_HIDDEN
} // namespace penstock

#endif // PENSTOCK_DISK_RECORD_HPP
