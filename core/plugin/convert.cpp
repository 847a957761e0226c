// SPDX-License-Identifier: Apache-2.0
#include "plugin/convert.hpp"

#include "base/text.hpp"
#include "plugin/sized.hpp"

#include <fmt/format.h>

namespace penstock {
namespace {

constexpr std::uint32_t text_cap = 65536;
constexpr std::uint32_t layer_cap = 1000;
constexpr std::uint32_t target_cap = 10000;

Error malformed(std::string what) { return Error{ErrorCode::malformed, "the plugin's record is not valid: " + std::move(what)}; }

// Copies at once: the plugin's memory is borrowed for the time of the call only. The first problem is kept.
class Texts {
public:
    std::string operator()(penstock_str text, const char* field) {
        if (text.n == 0) return {};
        if (text.p == nullptr || text.n > text_cap) {
            if (!problem_) problem_ = malformed(fmt::format("{} has {} bytes at {}", field, text.n, static_cast<const void*>(text.p)));
            return {};
        }
        return {text.p, text.n};
    }
    const std::optional<Error>& problem() const { return problem_; }

private:
    std::optional<Error> problem_;
};

template <class Enum>
Enum enumerated(std::uint32_t value, Enum last) {
    return value <= static_cast<std::uint32_t>(last) ? static_cast<Enum>(value) : Enum{};
}

template <class Record>
Result<Record> own_copy(const Record* record) {
    Record own;
    if (!copy_sized(own, record, sizeof(Record)))
        return malformed(fmt::format("its size is {}, at least {} is expected", record == nullptr ? 0 : record->struct_size, sizeof(Record)));
    return own;
}

Result<Layer> layer_from(const penstock_layer& record, Texts& text) {
    Layer layer;
    layer.kind = enumerated(record.kind, LayerKind::other);
    layer.format = text(record.format, "layer.format");
    layer.path = text(record.path, "layer.path");
    layer.uri = text(record.uri, "layer.uri");
    layer.node = text(record.node, "layer.node");
    if ((record.flags & PENSTOCK_LAYER_HAS_ST_DEV) != 0) layer.file_system = DeviceNumber{record.st_dev_major, record.st_dev_minor};
    if ((record.flags & PENSTOCK_LAYER_HAS_RDEV) != 0) layer.device = DeviceNumber{record.rdev_major, record.rdev_minor};
    layer.read_only = (record.flags & PENSTOCK_LAYER_READ_ONLY) != 0;
    if ((record.flags & PENSTOCK_LAYER_DIRECT) != 0) layer.cache = CacheMode::direct;
    if ((record.flags & PENSTOCK_LAYER_BUFFERED) != 0) layer.cache = CacheMode::buffered;
    return layer;
}

} // namespace

Result<ProbeLine> from_record(const penstock_probe* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Texts text;
    ProbeLine line{own->status == PENSTOCK_PROBE_PRESENT ? ProbeStatus::present : own->status == PENSTOCK_PROBE_ABSENT ? ProbeStatus::absent : ProbeStatus::broken,
                   text(own->component, "component"), text(own->version, "version"), text(own->detail, "detail")};
    if (text.problem()) return *text.problem();
    return line;
}

Result<Instance> from_record(const penstock_instance* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Texts text;
    Instance out;
    out.key = {text(own->key.kind, "key.kind"), text(own->key.id, "key.id"), text(own->key.incarnation, "key.incarnation")};
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
    if (out.key.id.empty() || out.name.empty()) return malformed("an instance needs an id and a name");
    if (out.main_pid < 0 || out.root_pid < 0) return malformed(fmt::format("pid {} of {}", out.main_pid, printable(out.name)));
    return out;
}

Result<Disk> from_record(const penstock_disk* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Texts text;
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
    if (own->layer_count > layer_cap) return malformed(fmt::format("{} layers", own->layer_count));
    if (own->layer_count != 0 && (own->layers == nullptr || own->layer_stride < sizeof(penstock_layer) || own->layer_stride > PENSTOCK_STRUCT_MAX))
        return malformed(fmt::format("layers {} bytes apart", own->layer_stride));
    const auto* at = reinterpret_cast<const char*>(own->layers);
    for (std::uint32_t i = 0; i < own->layer_count; ++i, at += own->layer_stride) {
        penstock_layer layer;
        std::memcpy(&layer, at, sizeof layer); // its own struct_size is that of the stride
        auto converted = layer_from(layer, text);
        if (!converted) return converted.error();
        out.layers.push_back(*std::move(converted));
    }
    if (text.problem()) return *text.problem();
    if (out.target.empty()) return malformed("a disk needs a target");
    return out;
}

Result<Actor> from_record(const penstock_actor* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Texts text;
    Actor out{enumerated(own->role, ActorRole::container_task), own->pid, own->tid, own->start_time, enumerated(own->exclusive, Answer::no),
              enumerated(own->movable, Answer::no), {}, text(own->name, "name")};
    if (own->disk_count > target_cap) return malformed(fmt::format("{} disks of one process", own->disk_count));
    if (own->disk_count != 0 && (own->disks == nullptr || own->disk_stride < sizeof(penstock_str) || own->disk_stride > PENSTOCK_STRUCT_MAX))
        return malformed(fmt::format("disks {} bytes apart", own->disk_stride));
    const auto* at = reinterpret_cast<const char*>(own->disks);
    for (std::uint32_t i = 0; i < own->disk_count; ++i, at += own->disk_stride) {
        penstock_str target;
        std::memcpy(&target, at, sizeof target);
        out.disks.push_back(text(target, "disks"));
    }
    if (text.problem()) return *text.problem();
    if (out.pid <= 0 || out.tid < 0) return malformed(fmt::format("process {}, thread {}", out.pid, out.tid));
    return out;
}

Result<Limits> from_record(const penstock_limits* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    Texts text;
    Limits out;
    for (const auto rate : all_rates) {
        const auto r = static_cast<std::uint32_t>(index(rate));
        if ((own->present & PENSTOCK_LIMIT_RATE(r)) != 0) out[rate] = own->rate[r];
        if ((own->present & PENSTOCK_LIMIT_BURST(r)) != 0) out.burst(rate) = Burst{own->burst[r], std::max<std::uint64_t>(own->burst_seconds[r], 1)};
    }
    if ((own->present & PENSTOCK_LIMIT_IO_SIZE) != 0) out.io_size = own->io_size;
    if ((own->present & PENSTOCK_LIMIT_GROUP) != 0) out.group = text(own->group, "group");
    if (text.problem()) return *text.problem();
    return out;
}

Result<FieldSupport> from_record(const penstock_limit_support* record) {
    const auto own = own_copy(record);
    if (!own) return own.error();
    return FieldSupport{enumerated(own->support, Support::native), own->field, own->minimum, own->maximum, own->granularity};
}

penstock_str borrow(const std::string& text) { return {text.data(), static_cast<std::uint32_t>(text.size()), 0}; }

penstock_key borrow(const InstanceKey& key) { return {borrow(key.kind), borrow(key.id), borrow(key.incarnation)}; }

penstock_limits to_record(const Limits& limits) {
    penstock_limits out{};
    out.struct_size = sizeof out;
    for (const auto rate : all_rates) {
        const auto r = static_cast<std::uint32_t>(index(rate));
        if (limits[rate]) {
            out.present |= PENSTOCK_LIMIT_RATE(r);
            out.rate[r] = *limits[rate];
        }
        if (const auto& burst = limits.burst(rate)) {
            out.present |= PENSTOCK_LIMIT_BURST(r);
            out.burst[r] = burst->rate;
            out.burst_seconds[r] = burst->seconds;
        }
    }
    if (limits.io_size) {
        out.present |= PENSTOCK_LIMIT_IO_SIZE;
        out.io_size = *limits.io_size;
    }
    if (limits.group) {
        out.present |= PENSTOCK_LIMIT_GROUP;
        out.group = borrow(*limits.group);
    }
    return out;
}

std::uint64_t to_mask(const LimitFields& fields) {
    std::uint64_t mask = (fields.io_size ? PENSTOCK_LIMIT_IO_SIZE : 0) | (fields.group ? PENSTOCK_LIMIT_GROUP : 0);
    for (const auto rate : all_rates) {
        const auto r = static_cast<std::uint32_t>(index(rate));
        if (fields.rates[r]) mask |= PENSTOCK_LIMIT_RATE(r);
        if (fields.bursts[r]) mask |= PENSTOCK_LIMIT_BURST(r);
    }
    return mask;
}

Error from_error(std::int32_t code, const penstock_error& error) {
    const auto kind = [&] {
        switch (code) {
        case PENSTOCK_E_GONE: return ErrorCode::gone;
        case PENSTOCK_E_NOT_PRESENT: return ErrorCode::unsupported;
        case PENSTOCK_E_UNSUPPORTED: return ErrorCode::unsupported;
        case PENSTOCK_E_DENIED: return ErrorCode::denied;
        case PENSTOCK_E_BUSY: return ErrorCode::busy;
        case PENSTOCK_E_TIMEOUT: return ErrorCode::timeout;
        case PENSTOCK_E_MALFORMED: return ErrorCode::malformed;
        case PENSTOCK_E_PARTIAL: return ErrorCode::partial;
        case PENSTOCK_E_CONFLICT: return ErrorCode::conflict;
        default: return ErrorCode::internal;
        }
    }();
    const std::string message{error.message, ::strnlen(error.message, sizeof error.message)};
    return Error{kind, message.empty() ? fmt::format("the plugin answered {} without a message", code) : printable(message)};
}

} // namespace penstock
