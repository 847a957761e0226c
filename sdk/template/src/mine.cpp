// SPDX-License-Identifier: Apache-2.0
#include "mine.hpp"

#include <penstock/disk_record.hpp>
#include <penstock/process.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mine {
namespace {

using namespace penstock::sdk;

constexpr std::size_t file_cap = 64 << 10; // what others have written is never read without end

// What one file says, and what the kernel says of its process.
struct Instance {
    std::string name;
    ProcessStat process;
    std::vector<std::string> paths;

    std::string incarnation() const { return Incarnation{process.pid, process.start}.text(); }
};

Fd open_folder(const std::string& path) {
    return Fd{::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
}

// Nothing where the file has gone, is not what it should be, or its process has ended: normal life.
std::optional<Instance> read_instance(const Fd& folder, const Fd& proc, const std::string& name) {
    const auto text = read_file(folder.get(), (name + ".pid").c_str(), file_cap);
    if (!text) return std::nullopt;
    const auto lines = split(*text, '\n');
    const auto pid = lines.empty() ? std::nullopt : number<int>(lines.front());
    if (!pid || *pid <= 0) return std::nullopt;
    auto process = read_process_stat(proc.get(), *pid);
    if (!process || process->ended()) return std::nullopt;
    Instance instance{name, *std::move(process), {}};
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (lines[i].starts_with('/')) instance.paths.emplace_back(lines[i]);
    return instance;
}

// The names, in order, without ".pid". A name may hold anything but '/': never use it as a path of your own making.
std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (auto entry = std::filesystem::directory_iterator{folder, failed};
         !failed && entry != std::filesystem::directory_iterator{}; entry.increment(failed))
        if (entry->path().extension() == ".pid") names.push_back(entry->path().stem());
    return names;
}

// What the layer is, by what lies at the path. Partitions, loop, device-mapper and md below it are Penstock's to find.
OwnedLayer layer_at(const std::string& path) {
    OwnedLayer layer;
    layer.format = "raw";
    layer.path = path;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return layer; // of a kind that is not known: Penstock says so
    if (S_ISBLK(status.st_mode)) {
        layer.kind = PENSTOCK_LAYER_BLOCK;
        layer.flags = PENSTOCK_LAYER_HAS_RDEV;
        layer.rdev_major = major(status.st_rdev);
        layer.rdev_minor = minor(status.st_rdev);
    } else {
        layer.kind = S_ISDIR(status.st_mode) ? PENSTOCK_LAYER_DIRECTORY : PENSTOCK_LAYER_FILE;
        layer.flags = PENSTOCK_LAYER_HAS_ST_DEV;
        layer.st_dev_major = major(status.st_dev);
        layer.st_dev_minor = minor(status.st_dev);
    }
    return layer;
}

// The instance that the key means; GONE where this incarnation of it has ended.
Status find(const std::string& folder, const std::string& proc, const Key& key, std::optional<Instance>& found) {
    if (key.id.find('/') == std::string_view::npos)
        found = read_instance(open_folder(folder), open_folder(proc), std::string{key.id});
    if (found && found->incarnation() == key.incarnation) return {};
    return {PENSTOCK_E_GONE, "mine/" + std::string{key.id} + " has ended"};
}

} // namespace

Mine::Mine(Host host) : folder_{std::string{host.run_root()} + "/mine"}, proc_{host.proc_root()} {}

Status Mine::probe(const Call&, Sink<penstock_probe> emit) {
    const bool here = static_cast<bool>(open_folder(folder_));
    const auto detail = here ? folder_ : folder_ + " is not there";
    penstock_probe line{};
    line.status = here ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_ABSENT;
    line.component = str("mine");
    line.detail = str(detail);
    emit(line);
    return {};
}

Status Mine::enumerate_instances(const Call& call, Sink<penstock_instance> emit) {
    const auto folder = open_folder(folder_), proc = open_folder(proc_);
    if (!folder || !proc) return {}; // not on this host: no instances
    for (const auto& name : names_in(folder_)) {
        if (call.remaining().count() == 0) return {PENSTOCK_E_TIMEOUT, "reading " + folder_ + " took too long"};
        const auto instance = read_instance(folder, proc, name);
        if (!instance) continue;
        const auto incarnation = instance->incarnation();
        penstock_instance record{};
        record.state = PENSTOCK_STATE_RUNNING;
        record.key = {str(info.kind), str(name), str(incarnation)};
        record.name = str(name);
        record.main_pid = instance->process.pid;
        record.main_start = instance->process.start;
        if (!emit(record)) return {};
    }
    return {};
}

Status Mine::enumerate_disks(const Call&, const Key& key, Sink<penstock_disk> emit) {
    std::optional<Instance> instance;
    if (auto status = find(folder_, proc_, key, instance); !status.ok()) return status;
    for (std::size_t i = 0; i < instance->paths.size(); ++i) {
        OwnedDisk disk;
        disk.target = "disk" + std::to_string(i);
        disk.native_id = instance->paths[i];
        disk.layers.push_back(layer_at(instance->paths[i]));
        if (!penstock::sdk::emit(disk, emit)) return {};
    }
    return {};
}

Status Mine::enumerate_actors(const Call&, const Key& key, Sink<penstock_actor> emit) {
    std::optional<Instance> instance;
    if (auto status = find(folder_, proc_, key, instance); !status.ok()) return status;
    penstock_actor record{};
    record.role = PENSTOCK_ROLE_EMULATOR;
    record.pid = record.tid = instance->process.pid;
    record.start_time = instance->process.start;
    record.exclusive = record.movable = PENSTOCK_ANSWER_YES;
    record.name = str(instance->process.comm);
    emit(record);
    return {};
}

} // namespace mine
