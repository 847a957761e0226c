// SPDX-License-Identifier: Apache-2.0
#include <penstock/disk_record.hpp>

#include "catch.hpp"

#include <string>

using namespace penstock::sdk;

namespace {

// What a host makes of a record while it is borrowed.
struct Seen {
    std::string text;
    std::int32_t answer = 0;

    static std::int32_t take(void* ctx, const penstock_disk* disk) {
        auto& seen = *static_cast<Seen*>(ctx);
        const auto put = [&](penstock_str part) { seen.text += std::string{view(part)} + " "; };
        const auto count = [&](std::uint32_t part) { seen.text += std::to_string(part) + " "; };
        for (const auto part : {disk->target, disk->native_id, disk->driver, disk->bus, disk->note}) put(part);
        for (const auto part : {disk->flags, disk->cache_mode, disk->layer_count}) count(part);
        for (std::uint32_t i = 0; i < disk->layer_count; ++i) {
            const auto* at = reinterpret_cast<const char*>(disk->layers) + i * disk->layer_stride;
            const auto& layer = *reinterpret_cast<const penstock_layer*>(at);
            seen.text += "| ";
            for (const auto part : {layer.format, layer.path, layer.uri, layer.node}) put(part);
            for (const auto part :
                 {layer.kind, layer.flags, layer.st_dev_major, layer.st_dev_minor, layer.rdev_major, layer.rdev_minor})
                count(part);
            if (layer.struct_size != sizeof layer) seen.text += "BAD SIZE ";
        }
        if (disk->struct_size != sizeof *disk) seen.text += "BAD SIZE ";
        return seen.answer;
    }
};

struct MyDisk : OwnedDisk {
    int more = 7;
};

MyDisk filled() {
    MyDisk disk;
    disk.target = "vda";
    disk.native_id = "id";
    disk.driver = "driver";
    disk.bus = "bus";
    disk.note = "note";
    disk.flags = 1;
    disk.cache_mode = 2;
    disk.layers.push_back({3, 4, "qcow2", "/a", "u", "n", 5, 6, 7, 8});
    disk.layers.push_back({9, 10, "raw", "/b", "v", "m", 11, 12, 13, 14});
    return disk;
}

} // namespace

TEST_CASE("every field of a disk and its layers reaches the host, each under its own name") {
    Seen seen;
    std::int32_t stopped = 0;
    CHECK(emit(filled(), Sink<penstock_disk>{&seen, &Seen::take, &stopped}));
    CHECK(seen.text == "vda id driver bus note 1 2 2 | qcow2 /a u n 3 4 5 6 7 8 | raw /b v m 9 10 11 12 13 14 ");
}

TEST_CASE("a host that wants no more is heard") {
    Seen seen{{}, 1};
    std::int32_t stopped = 0;
    const Sink<penstock_disk> sink{&seen, &Seen::take, &stopped};
    CHECK(!emit(filled(), sink));
    seen.text.clear();
    CHECK(!emit(filled(), sink));
    CHECK(seen.text.empty());
}

TEST_CASE("no two disks get the same target, whatever they are called") {
    UniqueTargets targets;
    CHECK(targets.take("vda") == "vda");
    CHECK(targets.take("vda-2") == "vda-2");
    CHECK(targets.take("vda") == "vda-3");
    CHECK(targets.take("vda") == "vda-4");
    CHECK(targets.take("vda-2") == "vda-2-2");
    CHECK(targets.take("vda-4") == "vda-4-2");
    CHECK(targets.take("sda") == "sda");
}
