// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "catch.hpp"

#include <cstring>

using namespace penstock;

namespace {

penstock_str text(std::string_view s) { return {s.data(), static_cast<std::uint32_t>(s.size()), 0}; }

template <class Record>
Record stamped() {
    Record record{};
    record.struct_size = sizeof record;
    return record;
}

penstock_instance an_instance() {
    auto record = stamped<penstock_instance>();
    record.key = {text("kvm"), text("id"), text("1-1")};
    record.name = text("db1");
    return record;
}

penstock_disk a_disk() {
    auto record = stamped<penstock_disk>();
    record.target = text("vda");
    return record;
}

penstock_actor an_actor() {
    auto record = stamped<penstock_actor>();
    record.pid = 10;
    record.tid = 11;
    return record;
}

template <class Record>
auto converted(const Record& record) {
    RecordText strings;
    return from_record(&record, strings);
}

template <class Record>
std::string refusal(const Record& record) {
    const auto result = converted(record);
    REQUIRE(!result);
    CHECK(result.error().code() == ErrorCode::malformed);
    return result.error().text();
}

} // namespace

TEST_CASE("a record that is NULL, smaller than in contract 1.0 or larger than 64 KiB is not valid") {
    RecordText strings;
    CHECK(!from_record(static_cast<const penstock_disk*>(nullptr), strings));
    const auto size = GENERATE(0U, 1U, static_cast<unsigned>(sizeof(penstock_disk)) - 1, 65537U, 0xffffffffU);
    auto record = a_disk();
    record.struct_size = size;
    CHECK(refusal(record).find("its size is " + std::to_string(size)) != std::string::npos);
}

TEST_CASE("strings keep their bytes, whatever these are") {
    auto record = an_instance();
    const std::string name{"a\xff\0\x1b[31m", 8};
    record.name = text(name);
    CHECK(converted(record)->name == name);
}

TEST_CASE("a string at NULL or longer than 64 KiB is not valid, and its field is named") {
    auto record = an_instance();
    record.note = {nullptr, 5, 0};
    CHECK(refusal(record).find("note has 5 bytes at NULL") != std::string::npos);
    const std::string large(65537, 'x');
    record.note = text(large);
    CHECK(refusal(record).find("note has 65537 bytes") != std::string::npos);
    record.note = {large.data(), 65536, 0};
    CHECK(converted(record)->note.size() == 65536);
    record.note = {nullptr, 0, 0};
    CHECK(converted(record)->note.empty());
}

TEST_CASE("the strings of one record are capped together") {
    const std::string large(65536, 'x');
    auto layer = stamped<penstock_layer>();
    layer.path = text(large);
    const std::vector<penstock_layer> layers(20, layer);
    auto record = a_disk();
    record.layers = layers.data();
    record.layer_stride = sizeof(penstock_layer);
    record.layer_count = 15;
    CHECK(converted(record));
    record.layer_count = 20;
    CHECK(refusal(record).find("1048576 bytes together") != std::string::npos);
}

TEST_CASE("an instance is taken over field by field") {
    auto record = an_instance();
    record.state = PENSTOCK_STATE_PAUSED;
    record.main_pid = 4711;
    record.main_start = 99;
    record.root_pid = 4712;
    record.capabilities = PENSTOCK_CAP_NATIVE_LIMIT | PENSTOCK_CAP_UNREACHABLE;
    record.cgroup_hint = text("/machine.slice");
    record.manager = text("libvirt");
    record.note = text("note");
    const auto out = converted(record);
    REQUIRE(out);
    CHECK(out->key == InstanceKey{"kvm", "id", "1-1"});
    CHECK(out->name == "db1");
    CHECK(out->state == InstanceState::paused);
    CHECK(out->main_pid == 4711);
    CHECK(out->main_start == 99);
    CHECK(out->root_pid == 4712);
    CHECK(out->native_limit);
    CHECK(!out->managed);
    CHECK(out->unreachable);
    CHECK(out->cgroup_hint == "/machine.slice");
    CHECK(out->manager == "libvirt");
    CHECK(out->note == "note");
}

TEST_CASE("an instance without id or name, or with a pid that cannot be, is not valid") {
    auto record = an_instance();
    record.key.id = {};
    refusal(record);
    record = an_instance();
    record.name = {};
    refusal(record);
    for (const std::int32_t pid : {-1, INT32_MIN, 4194305, INT32_MAX}) {
        record = an_instance();
        record.main_pid = pid;
        CHECK(refusal(record).find(std::to_string(pid)) != std::string::npos);
        record = an_instance();
        record.root_pid = pid;
        refusal(record);
    }
}

TEST_CASE("numbers of a later contract read as unknown") {
    auto instance = an_instance();
    instance.state = 4;
    CHECK(converted(instance)->state == InstanceState::unknown);
    auto disk = a_disk();
    disk.cache_mode = 0xffffffff;
    CHECK(converted(disk)->cache == CacheMode::unknown);
    auto actor = an_actor();
    actor.role = 9;
    actor.exclusive = 3;
    actor.movable = 3;
    CHECK(converted(actor)->role == ActorRole::unknown);
    CHECK(converted(actor)->exclusive == Answer::unknown);
    CHECK(converted(actor)->movable == Answer::unknown);
    auto probe = stamped<penstock_probe>();
    probe.status = 0;
    CHECK(converted(probe)->status == ProbeStatus::broken);
}

TEST_CASE("every enumerator of the contract has its own in the model") {
    auto actor = an_actor();
    actor.role = PENSTOCK_ROLE_BLKBACK;
    CHECK(converted(actor)->role == ActorRole::blkback);
    actor.role = PENSTOCK_ROLE_CONTAINER_TASK;
    CHECK(converted(actor)->role == ActorRole::container_task);
    actor.exclusive = PENSTOCK_ANSWER_NO;
    CHECK(converted(actor)->exclusive == Answer::no);
    auto disk = a_disk();
    disk.cache_mode = PENSTOCK_CACHE_GUEST;
    CHECK(converted(disk)->cache == CacheMode::guest);
    auto layer = stamped<penstock_layer>();
    layer.kind = PENSTOCK_LAYER_OTHER;
    disk.layers = &layer;
    disk.layer_count = 1;
    disk.layer_stride = sizeof layer;
    CHECK(converted(disk)->layers.at(0).kind == LayerKind::other);
}

TEST_CASE("the layers of a disk are walked by their stride, aligned or not") {
    constexpr std::uint32_t stride = sizeof(penstock_layer) + 9;
    std::vector<char> memory(2 * stride, '\x55');
    auto layer = stamped<penstock_layer>();
    layer.kind = PENSTOCK_LAYER_FILE;
    layer.path = text("/top");
    layer.flags = PENSTOCK_LAYER_HAS_ST_DEV | PENSTOCK_LAYER_BUFFERED | PENSTOCK_LAYER_READ_ONLY;
    layer.st_dev_major = 8;
    layer.st_dev_minor = 1;
    layer.rdev_major = 5; // without its flag: not there
    std::memcpy(memory.data(), &layer, sizeof layer);
    layer = stamped<penstock_layer>();
    layer.kind = PENSTOCK_LAYER_BLOCK;
    layer.path = text("/base");
    layer.flags = PENSTOCK_LAYER_HAS_RDEV | PENSTOCK_LAYER_DIRECT;
    layer.rdev_major = 253;
    std::memcpy(memory.data() + stride, &layer, sizeof layer);
    auto record = a_disk();
    record.layers = reinterpret_cast<const penstock_layer*>(memory.data());
    record.layer_count = 2;
    record.layer_stride = stride;
    const auto disk = converted(record);
    REQUIRE(disk);
    REQUIRE(disk->layers.size() == 2);
    CHECK(disk->layers[0].kind == LayerKind::file);
    CHECK(disk->layers[0].path == "/top");
    CHECK(disk->layers[0].file_system == DeviceNumber{8, 1});
    CHECK(!disk->layers[0].device);
    CHECK(disk->layers[0].cache == CacheMode::buffered);
    CHECK(disk->layers[0].read_only);
    CHECK(disk->layers[1].path == "/base");
    CHECK(disk->layers[1].device == DeviceNumber{253, 0});
    CHECK(disk->layers[1].cache == CacheMode::direct);
}

TEST_CASE("layers that cannot be walked are not valid") {
    const auto layer = stamped<penstock_layer>();
    auto record = a_disk();
    record.layers = &layer;
    record.layer_count = 1;
    for (const std::uint32_t stride : {0U, static_cast<unsigned>(sizeof layer) - 1, 65537U}) {
        record.layer_stride = stride;
        CHECK(refusal(record).find("layers that are " + std::to_string(stride) + " bytes apart") != std::string::npos);
    }
    record.layer_stride = sizeof layer;
    record.layer_count = 1001;
    CHECK(refusal(record).find("1001 layers") != std::string::npos);
    record.layer_count = 1;
    record.layers = nullptr;
    CHECK(refusal(record).find("NULL") != std::string::npos);
}

TEST_CASE("a disk needs a target") { refusal(stamped<penstock_disk>()); }

TEST_CASE("the flags of a disk are taken over, each to its own") {
    const auto [flag, member] =
        GENERATE(table<std::uint32_t, bool Disk::*>({{PENSTOCK_DISK_READ_ONLY, &Disk::read_only},
                                                     {PENSTOCK_DISK_REMOVABLE, &Disk::removable},
                                                     {PENSTOCK_DISK_EMPTY, &Disk::empty},
                                                     {PENSTOCK_DISK_NATIVE_LIMIT, &Disk::native_limit},
                                                     {PENSTOCK_DISK_OWN_PROCESS, &Disk::own_process}}));
    auto record = a_disk();
    record.flags = flag;
    const auto disk = converted(record);
    REQUIRE(disk);
    CHECK((*disk).*member);
    CHECK(disk->read_only + disk->removable + disk->empty + disk->native_limit + disk->own_process == 1);
}

TEST_CASE("an actor has a process, a thread of it or itself, and the disks it serves") {
    auto record = an_actor();
    const penstock_str disks[] = {text("vda"), text("vdb")};
    record.disks = disks;
    record.disk_count = 2;
    record.disk_stride = sizeof disks[0];
    CHECK(converted(record)->disks == std::vector<std::string>{"vda", "vdb"});
    record.tid = 0;
    CHECK(converted(record)->tid == 10);
    record.disk_stride = 8;
    refusal(record);
    record = an_actor();
    record.disk_count = 3;
    refusal(record);
    for (const std::int32_t pid : {0, -1, 4194305}) {
        record = an_actor();
        record.pid = pid;
        refusal(record);
    }
    record = an_actor();
    record.tid = -1;
    refusal(record);
}
