// SPDX-License-Identifier: Apache-2.0
#include "plugin/sized.hpp"

#include "catch.hpp"
#include "plugin/convert.hpp"

#include <array>
#include <cstring>
#include <vector>

using namespace penstock;

namespace {

template <class Record>
struct Grown {
    Record known{};
    std::array<std::uint64_t, 8> news;
};

penstock_str text(std::string_view s) { return {s.data(), static_cast<std::uint32_t>(s.size()), 0}; }

penstock_layer a_layer(std::string_view path) {
    penstock_layer layer{};
    layer.struct_size = sizeof layer;
    layer.path = text(path);
    return layer;
}

Result<Disk> disk_of(const void* layers, std::uint32_t count, std::uint32_t stride) {
    penstock_disk record{};
    record.struct_size = sizeof record;
    record.target = text("vda");
    record.layers = static_cast<const penstock_layer*>(layers);
    record.layer_count = count;
    record.layer_stride = stride;
    RecordText strings;
    return from_record(&record, strings);
}

} // namespace

TEST_CASE("a struct of a later minor version is taken as far as it is known") {
    Grown<penstock_actor> record;
    record.news.fill(~std::uint64_t{0});
    record.known.struct_size = sizeof record;
    record.known.pid = 4711;
    penstock_actor own;
    REQUIRE(copy_sized(own, &record.known));
    CHECK(own.pid == 4711);
    RecordText strings;
    CHECK(from_record(&record.known, strings)->pid == 4711);
}

TEST_CASE("a struct may be as large as the contract allows, and not a byte larger") {
    std::vector<char> memory(PENSTOCK_STRUCT_MAX + 1, '\x55');
    penstock_actor record{};
    record.pid = 1;
    penstock_actor own;
    const auto accepted = [&](std::uint32_t size) {
        record.struct_size = size;
        std::memcpy(memory.data(), &record, sizeof record);
        return copy_sized(own, reinterpret_cast<const penstock_actor*>(memory.data()));
    };
    CHECK(accepted(PENSTOCK_STRUCT_MAX));
    CHECK(!accepted(PENSTOCK_STRUCT_MAX + 1));
    CHECK(accepted(size_1_0<penstock_actor>));
    CHECK(!accepted(size_1_0<penstock_actor> - 1));
    CHECK(!accepted(0));
    CHECK(!copy_sized(own, static_cast<const penstock_actor*>(nullptr)));
}

TEST_CASE("the least size is that of contract 1.0, however the structs have grown since") {
    if (sizeof(void*) != 8) return;
    CHECK(size_1_0<penstock_probe> == 56);
    CHECK(size_1_0<penstock_instance> == 144);
    CHECK(size_1_0<penstock_layer> == 96);
    CHECK(size_1_0<penstock_disk> == 112);
    CHECK(size_1_0<penstock_actor> == 64);
    CHECK(size_1_0<penstock_limits> == 184);
    CHECK(size_1_0<penstock_limit_support> == 40);
    CHECK(size_1_0<penstock_core_v1> == 40);
    CHECK(size_1_0<penstock_native_limit_v1> == 40);
    CHECK(size_1_0<penstock_descriptor> == 104);
    CHECK(size_1_0<penstock_plugin_entry> == 72);
}

TEST_CASE("what stands between two layers of an array is not read") {
    struct Private { // an author's own struct, with the record at its head
        penstock_layer layer;
        std::uint64_t own = ~std::uint64_t{0};
    };
    const Private layers[] = {{a_layer("/top")}, {a_layer("/base")}};
    const auto disk = disk_of(layers, 2, sizeof layers[0]);
    REQUIRE(disk);
    REQUIRE(disk->layers.size() == 2);
    CHECK(disk->layers[0].path == "/top");
    CHECK(disk->layers[1].path == "/base");
}

TEST_CASE("a layer whose size was not set, or reaches into the next one, is not valid") {
    penstock_layer layers[] = {a_layer("/top"), a_layer("/base")};
    const auto size = GENERATE(0U, static_cast<unsigned>(sizeof(penstock_layer)) - 1,
                               static_cast<unsigned>(sizeof(penstock_layer)) + 8, 65537U);
    layers[1].struct_size = size;
    const auto disk = disk_of(layers, 2, sizeof layers[0]);
    REQUIRE(!disk);
    CHECK(disk.error().code() == ErrorCode::malformed);
    CHECK(disk.error().text().find("the size of layer 1 is " + std::to_string(size)) != std::string::npos);
}
