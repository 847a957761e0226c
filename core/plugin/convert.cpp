// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "base/text.hpp"
#include "plugin/own_copy.hpp"

namespace penstock {
namespace {

constexpr std::uint32_t layer_cap = 1000;
constexpr std::uint32_t target_cap = 10000;
constexpr std::int32_t pid_max = 1 << 22; // PID_MAX_LIMIT of a 64-bit kernel

bool is_pid_or_none(std::int32_t pid) { return pid >= 0 && pid <= pid_max; }

// Whether an array of a record can be walked.
template <class T>
std::optional<Error> check_array(const T* first, std::uint32_t count, std::uint32_t stride, std::size_t least,
                                 std::uint32_t cap, std::string_view what) {
    if (count == 0) return {};
    if (count > cap) return malformed_record(fmt::format("{} {}, at most {} are taken", count, what, cap));
    if (first == nullptr) return malformed_record(fmt::format("{} {} at NULL", count, what));
    if (stride < least || stride > PENSTOCK_STRUCT_MAX)
        return malformed_record(fmt::format("{} that are {} bytes apart, {} at least", what, stride, least));
    return {};
}

Layer layer_from(const penstock_layer& record, RecordText& text) {
    Layer layer;
    layer.kind = enumerated(record.kind, LayerKind::other);
    layer.format = text(record.format, "layer.format");
    layer.path = text(record.path, "layer.path");
    layer.uri = text(record.uri, "layer.uri");
    layer.node = text(record.node, "layer.node");
    if ((record.flags & PENSTOCK_LAYER_HAS_ST_DEV) != 0)
        layer.file_system = DeviceNumber{record.st_dev_major, record.st_dev_minor};
    if ((record.flags & PENSTOCK_LAYER_HAS_RDEV) != 0)
        layer.device = DeviceNumber{record.rdev_major, record.rdev_minor};
    layer.read_only = (record.flags & PENSTOCK_LAYER_READ_ONLY) != 0;
    const auto cache = record.flags & (PENSTOCK_LAYER_DIRECT | PENSTOCK_LAYER_BUFFERED);
    if (cache == PENSTOCK_LAYER_DIRECT) layer.cache = CacheMode::direct;
    if (cache == PENSTOCK_LAYER_BUFFERED) layer.cache = CacheMode::buffered;
    return layer;
}

ProbeStatus status_of(std::uint32_t status) {
    switch (status) {
    case PENSTOCK_PROBE_PRESENT: return ProbeStatus::present;
    case PENSTOCK_PROBE_ABSENT: return ProbeStatus::absent;
    default: return ProbeStatus::broken;
    }
}

} // namespace

Result<ProbeLine> from_record(const penstock_probe* record, RecordText& text) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    ProbeLine line{status_of(own->status), text(own->component, "component"), text(own->version, "version"),
                   text(own->detail, "detail")};
    if (text.problem()) return *text.problem();
    return line;
}

Result<Instance> from_record(const penstock_instance* record, RecordText& text) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Instance out;
    out.key = {text(own->key.kind, "key.kind"), text(own->key.id, "key.id"),
               text(own->key.incarnation, "key.incarnation")};
    out.name = text(own->name, "name");
    out.state = enumerated(own->state, InstanceState::stopped);
    out.main_pid = own->main_pid;
    out.main_start = own->main_start;
    out.root_pid = own->root_pid;
    out.cgroup_hint = text(own->cgroup_hint, "cgroup_hint");
    out.manager = text(own->manager, "manager");
    out.note = text(own->note, "note");
    out.native_limit = (own->capabilities & PENSTOCK_CAP_NATIVE_LIMIT) != 0;
    out.managed = (own->capabilities & PENSTOCK_CAP_MANAGED) != 0;
    out.unreachable = (own->capabilities & PENSTOCK_CAP_UNREACHABLE) != 0;
    if (text.problem()) return *text.problem();
    if (out.key.id.empty() || out.name.empty())
        return malformed_record(fmt::format("an instance needs an id and a name; its id is '{}', its name '{}'",
                                            printable(out.key.id), printable(out.name)));
    if (!is_pid_or_none(out.main_pid) || !is_pid_or_none(out.root_pid))
        return malformed_record(fmt::format("instance '{}' has main process {} and root process {}",
                                            printable(out.name), out.main_pid, out.root_pid));
    return out;
}

Result<Disk> from_record(const penstock_disk* record, RecordText& text) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Disk out;
    out.target = text(own->target, "target");
    out.native_id = text(own->native_id, "native_id");
    out.driver = text(own->driver, "driver");
    out.bus = text(own->bus, "bus");
    out.note = text(own->note, "note");
    out.cache = enumerated(own->cache_mode, CacheMode::guest);
    out.read_only = (own->flags & PENSTOCK_DISK_READ_ONLY) != 0;
    out.removable = (own->flags & PENSTOCK_DISK_REMOVABLE) != 0;
    out.empty = (own->flags & PENSTOCK_DISK_EMPTY) != 0;
    out.native_limit = (own->flags & PENSTOCK_DISK_NATIVE_LIMIT) != 0;
    out.own_process = (own->flags & PENSTOCK_DISK_OWN_PROCESS) != 0;
    if (text.problem()) return *text.problem();
    if (out.target.empty()) return malformed_record("a disk needs a target");
    if (auto bad = check_array(own->layers, own->layer_count, own->layer_stride, size_1_0<penstock_layer>, layer_cap,
                               "layers"))
        return *std::move(bad);
    const auto* at = reinterpret_cast<const char*>(own->layers);
    for (std::uint32_t i = 0; i < own->layer_count && !text.problem(); ++i, at += own->layer_stride) {
        const auto size = element<penstock_layer>(at, own->layer_stride).struct_size;
        if (!believable<penstock_layer>(size) || size > own->layer_stride)
            return malformed_record(fmt::format("the size of layer {} is {}, and must be from {} to {}", i, size,
                                                size_1_0<penstock_layer>, own->layer_stride));
        out.layers.push_back(layer_from(element<penstock_layer>(at, size), text));
    }
    if (text.problem()) return *text.problem();
    return out;
}

Result<Actor> from_record(const penstock_actor* record, RecordText& text) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Actor out;
    out.role = enumerated(own->role, ActorRole::container_task);
    out.pid = own->pid;
    out.tid = own->tid == 0 ? own->pid : own->tid;
    out.start_time = own->start_time;
    out.exclusive = enumerated(own->exclusive, Answer::no);
    out.movable = enumerated(own->movable, Answer::no);
    out.name = text(own->name, "name");
    if (out.pid <= 0 || out.pid > pid_max || out.tid <= 0 || out.tid > pid_max)
        return malformed_record(fmt::format("process {}, thread {}", out.pid, out.tid));
    if (auto bad = check_array(own->disks, own->disk_count, own->disk_stride, sizeof(penstock_str), target_cap,
                               "disks of one process"))
        return *std::move(bad);
    const auto* at = reinterpret_cast<const char*>(own->disks);
    for (std::uint32_t i = 0; i < own->disk_count && !text.problem(); ++i, at += own->disk_stride)
        out.disks.push_back(text(element<penstock_str>(at, own->disk_stride), "disks"));
    if (text.problem()) return *text.problem();
    return out;
}

penstock_str borrow(const std::string& text) { return {text.data(), static_cast<std::uint32_t>(text.size()), 0}; }

penstock_key borrow(const InstanceKey& key) { return {borrow(key.kind), borrow(key.id), borrow(key.incarnation)}; }

} // namespace penstock
