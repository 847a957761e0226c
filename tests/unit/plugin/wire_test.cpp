// SPDX-License-Identifier: Apache-2.0
#include "plugin/wire_records.hpp"

#include "catch.hpp"

#include <sys/socket.h>

#include <array>
#include <random>

using namespace penstock;

namespace {

penstock_str str(std::string_view text) { return {text.data(), static_cast<std::uint32_t>(text.size()), 0}; }
std::string_view view(penstock_str text) { return {text.p, text.n}; }

struct Pair {
    Fd ours, theirs;
    Pair() {
        std::array<int, 2> ends{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
        ours = Fd{ends[0]};
        theirs = Fd{ends[1]};
    }
};

void put(const Fd& fd, std::string_view bytes) {
    REQUIRE(::send(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

// A disk with everything in it.
std::string full_disk(std::vector<penstock_layer>& layers) {
    layers.assign(2, {});
    for (auto& layer : layers) layer.struct_size = sizeof layer;
    layers[0].kind = PENSTOCK_LAYER_FILE;
    layers[0].path = str("/images/a b.qcow2");
    layers[1].kind = PENSTOCK_LAYER_BLOCK;
    layers[1].flags = PENSTOCK_LAYER_HAS_RDEV;
    layers[1].rdev_major = 8;
    layers[1].rdev_minor = 17;
    penstock_disk disk{};
    disk.struct_size = sizeof disk;
    disk.flags = PENSTOCK_DISK_REMOVABLE;
    disk.cache_mode = PENSTOCK_CACHE_DIRECT;
    disk.layer_count = 2;
    disk.layer_stride = sizeof(penstock_layer);
    disk.layers = layers.data();
    disk.target = str("vda");
    disk.note = str(std::string_view{"a\0b", 3});
    return to_wire(disk);
}

} // namespace

TEST_CASE("a disk comes out as it went in, layers and all") {
    std::vector<penstock_layer> layers;
    const auto bytes = full_disk(layers);
    penstock_disk disk;
    WireArrays arrays;
    REQUIRE(from_wire(bytes, disk, arrays));
    CHECK(disk.struct_size == sizeof disk);
    CHECK(disk.flags == PENSTOCK_DISK_REMOVABLE);
    CHECK(view(disk.target) == "vda");
    CHECK(view(disk.note) == std::string_view{"a\0b", 3});
    REQUIRE(disk.layer_count == 2);
    CHECK(view(disk.layers[0].path) == "/images/a b.qcow2");
    CHECK(disk.layers[1].rdev_minor == 17);
}

TEST_CASE("a request comes out as it went in") {
    WireRequest request;
    request.operation = Operation::apply;
    request.deadline_ns = 1ULL << 60;
    request.kind = "kvm";
    request.id = std::string(70'000, 'x');
    request.incarnation = "1-2";
    request.disk = "/machine/peripheral/vd0";
    request.limits.present = PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS) | PENSTOCK_LIMIT_GROUP;
    request.limits.rate[PENSTOCK_WRITE_BPS] = 1'000'000;
    request.group = "shared";
    const auto out = request_from_wire(to_wire(request));
    REQUIRE(out);
    CHECK(out->operation == Operation::apply);
    CHECK(out->id == request.id);
    CHECK(out->deadline_ns == request.deadline_ns);
    CHECK(out->limits.rate[PENSTOCK_WRITE_BPS] == 1'000'000);
    CHECK(out->group == "shared");
}

TEST_CASE("whatever is cut or too long is refused, at every length") {
    std::vector<penstock_layer> layers;
    const auto bytes = full_disk(layers);
    penstock_disk disk;
    WireArrays arrays;
    for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!from_wire(bytes.substr(0, size), disk, arrays));
    CHECK(!from_wire(bytes + "x", disk, arrays));
}

TEST_CASE("bytes that were changed give a record or an error, and nothing worse") {
    std::vector<penstock_layer> layers;
    const auto bytes = full_disk(layers);
    std::mt19937 random{61};
    int refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        auto bent = bytes;
        for (auto changes = random() % 4 + 1; changes > 0; --changes)
            bent[random() % bent.size()] = static_cast<char>(random());
        penstock_disk disk;
        penstock_actor actor;
        WireArrays arrays;
        if (!from_wire(bent, disk, arrays)) ++refused;
        (void)from_wire(bent, actor, arrays);
        (void)request_from_wire(bent);
        penstock_error error{};
        (void)done_from_wire(bent, error);
    }
    CHECK(refused > 1000);
}

TEST_CASE("an array that claims more than there may be is refused before it is made") {
    WireWriter out;
    out.number(std::uint32_t{0});          // flags
    out.number(std::uint32_t{0});          // cache_mode
    out.number(std::uint32_t{0xFFFFFFFF}); // layers
    penstock_disk disk;
    WireArrays arrays;
    CHECK(!from_wire(out.bytes(), disk, arrays));
    CHECK(arrays.layers.empty());
}

TEST_CASE("frames arrive whole, however they are cut on the way") {
    Pair pair;
    FrameSocket in{std::move(pair.theirs)};
    const std::string frame{"\x03\0\0\0\x05hi", 7};
    for (const char byte : frame) {
        CHECK(!*in.take());
        put(pair.ours, {&byte, 1});
        REQUIRE(in.fill());
    }
    const auto got = in.take();
    REQUIRE(*got);
    CHECK((*got)->kind == FrameKind::log);
    CHECK((*got)->payload == "hi");
    pair.ours = Fd{};
    CHECK(in.fill().error().code() == ErrorCode::gone);
}

TEST_CASE("a frame that is empty, too long or of no kind is refused at its head") {
    for (const auto& head : {std::string{"\0\0\0\0", 4}, std::string{"\x01\0\x10\0", 4},
                             std::string{"\xff\xff\xff\xff", 4}, std::string{"\x01\0\0\0\x63", 5}}) {
        Pair pair;
        FrameSocket in{std::move(pair.theirs)};
        put(pair.ours, head);
        REQUIRE(in.fill());
        CHECK(in.take().error().code() == ErrorCode::malformed);
    }
}

TEST_CASE("a payload beyond the cap is not sent") {
    Pair pair;
    FrameSocket out{std::move(pair.ours)};
    CHECK(!out.send(FrameKind::record, std::string(frame_cap, 'x')));
}
