// SPDX-License-Identifier: Apache-2.0
#include "systemd_plugin.hpp"

#include "mounts.hpp"

#include <penstock/disk_record.hpp>
#include <penstock/process.hpp>

#include <fcntl.h>

namespace systemd {
namespace {

using namespace penstock::sdk;

constexpr std::size_t mountinfo_cap = 4U << 20;

Fd open_folder(const std::string& path) { return Fd{::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)}; }

// "rootfs" of "/", "srv/data" of "/srv/data".
std::string target_of(const std::string& mount_point) { return mount_point == "/" ? "rootfs" : mount_point.substr(1); }

// The first of the unit's processes that still runs.
std::optional<ProcessStat> main_process(const Fd& proc, const Unit& unit) {
    for (const auto pid : unit.processes)
        if (auto process = read_process_stat(proc.get(), pid); process && !process->ended()) return process;
    return std::nullopt;
}

Status no_hierarchy() {
    return {PENSTOCK_E_NOT_PRESENT, "no cgroup hierarchy of systemd: it does not run on this host"};
}

} // namespace

Status SystemdPlugin::probe(const Call&, Sink<penstock_probe> emit) {
    const auto tree = unit_tree(sys_);
    penstock_probe line{};
    line.status = tree ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_ABSENT;
    line.component = str("systemd");
    line.detail = tree ? str(*tree) : str("no system.slice below /sys/fs/cgroup");
    emit(line);
    return {};
}

Status SystemdPlugin::enumerate_instances(const Call& call, Sink<penstock_instance> emit) {
    const auto tree = unit_tree(sys_);
    if (!tree) return no_hierarchy();
    const auto proc = open_folder(proc_);
    bool late = false;
    for_each_unit(*tree, [&](const Unit& unit) {
        late = call.remaining().count() == 0;
        const auto process = main_process(proc, unit);
        if (late || !process) return !late;
        const auto incarnation = std::to_string(unit.inode);
        penstock_instance record{};
        record.state = PENSTOCK_STATE_RUNNING;
        // The cgroup is the id: a user's units are called the same as another user's.
        record.key = {str(info.kind), str(unit.cgroup), str(incarnation)};
        record.name = str(unit.name);
        record.main_pid = record.root_pid = process->pid;
        record.main_start = process->start;
        record.capabilities = PENSTOCK_CAP_MANAGED;
        record.cgroup_hint = str(unit.cgroup);
        record.manager = str("systemd");
        return emit(record);
    });
    return late ? Status{PENSTOCK_E_TIMEOUT, "walking " + *tree + " took too long"} : Status{};
}

Status SystemdPlugin::find(const Key& key, std::optional<Unit>& found) const {
    const auto tree = unit_tree(sys_);
    if (!tree) return no_hierarchy();
    const bool path = key.id.starts_with('/') && key.id.find("/..") == std::string_view::npos;
    if (path) found = read_unit(*tree, std::string{key.id});
    if (found && std::to_string(found->inode) == key.incarnation) return {};
    return {PENSTOCK_E_GONE, "unit " + std::string{key.id} + " has ended"};
}

Status SystemdPlugin::enumerate_disks(const Call&, const Key& key, Sink<penstock_disk> emit) {
    std::optional<Unit> unit;
    if (auto status = find(key, unit); !status.ok()) return status;
    const auto proc = open_folder(proc_);
    const auto process = main_process(proc, *unit);
    if (!process) return {PENSTOCK_E_GONE, "unit " + unit->name + " has ended"};
    const auto text = read_file(proc.get(), (std::to_string(process->pid) + "/mountinfo").c_str(), mountinfo_cap);
    if (!text) return {PENSTOCK_E_GONE, "unit " + unit->name + " has ended, or its mounts may not be read"};
    UniqueTargets targets;
    for (const auto& mounted : file_systems(*text)) {
        OwnedDisk disk;
        disk.target = targets.take(target_of(mounted.mount_point));
        disk.native_id = mounted.mount_point;
        disk.driver = "mount";
        disk.cache_mode = PENSTOCK_CACHE_GUEST;
        if (mounted.read_only) disk.flags = PENSTOCK_DISK_READ_ONLY;
        OwnedLayer layer;
        layer.kind = PENSTOCK_LAYER_DIRECTORY;
        layer.flags = PENSTOCK_LAYER_HAS_ST_DEV;
        layer.format = mounted.type;
        layer.path = mounted.mount_point;
        layer.st_dev_major = mounted.major;
        layer.st_dev_minor = mounted.minor;
        disk.layers.push_back(std::move(layer));
        if (!penstock::sdk::emit(disk, emit)) return {};
    }
    return {};
}

Status SystemdPlugin::enumerate_actors(const Call&, const Key& key, Sink<penstock_actor> emit) {
    std::optional<Unit> unit;
    if (auto status = find(key, unit); !status.ok()) return status;
    const auto proc = open_folder(proc_);
    for (const auto pid : unit->processes) {
        const auto process = read_process_stat(proc.get(), pid);
        if (!process || process->ended()) continue;
        penstock_actor record{};
        record.role = PENSTOCK_ROLE_CONTAINER_TASK;
        record.pid = record.tid = pid;
        record.start_time = process->start;
        record.exclusive = PENSTOCK_ANSWER_YES;
        record.movable = PENSTOCK_ANSWER_NO; // its place is systemd's to choose
        record.name = str(process->comm);
        if (!emit(record)) return {};
    }
    return {};
}

} // namespace systemd
