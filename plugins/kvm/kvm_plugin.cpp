// SPDX-License-Identifier: Apache-2.0
#include "kvm_plugin.hpp"

#include "guest_actors.hpp"
#include "guest_disks.hpp"
#include "instance_record.hpp"
#include "limiter.hpp"
#include "probe.hpp"
#include "throttle.hpp"

#include <penstock/process.hpp>

#include <fcntl.h>

namespace penstock::kvm {

using namespace sdk;

namespace {

// With another root the default address would lead to the host's own daemon.
std::string libvirt_uri(std::string_view run_root) {
    if (run_root == "/run" || run_root == "/var/run") return "qemu:///system";
    return "qemu+unix:///system?socket=" + std::string{run_root} + "/libvirt/libvirt-sock";
}

} // namespace

KvmPlugin::KvmPlugin(Host host)
    : host_{host}, proc_{sdk::open_directory(AT_FDCWD, std::string{host.proc_root()}.c_str())}, run_{host.run_root()},
      libvirt_{libvirt_uri(host.run_root())} {}

Status KvmPlugin::find(const Key& key, Guest& guest) const {
    const auto incarnation = sdk::parse_incarnation(key.incarnation);
    if (!incarnation || key.kind != info.kind)
        return {PENSTOCK_E_MALFORMED, "not a key of this plugin: " + std::string{key.incarnation}};
    auto found = read_guest(proc_.get(), incarnation->pid);
    if (!found || found->process.start != incarnation->start)
        return {PENSTOCK_E_GONE, "virtual machine " + std::string{key.id} + " has ended or was restarted"};
    guest = std::move(*found);
    return {};
}

Status KvmPlugin::probe(const Call& call, Sink<penstock_probe> sink) {
    const auto deadline = Deadline::of(call);
    for (const auto& line : probe_host(proc_.get(), domain_files(), deadline)) {
        penstock_probe record{};
        record.status = line.status;
        record.component = str(line.component);
        record.version = str(line.version);
        record.detail = str(line.detail);
        if (!sink(record)) break;
    }
    return {};
}

Status KvmPlugin::enumerate_instances(const Call& call, Sink<penstock_instance> sink) {
    if (!proc_) return {PENSTOCK_E_DENIED, "cannot open " + std::string{host_.proc_root()}};
    const auto deadline = Deadline::of(call);
    bool complete = false;
    const auto records = find_instances(proc_.get(), domain_files(), deadline, complete);
    for (const auto& record : records) {
        if (!emit(record, sink)) return {};
    }
    if (complete) return {};
    return {records.empty() ? PENSTOCK_E_TIMEOUT : PENSTOCK_E_PARTIAL,
            "looking through the processes of this host took too long"};
}

Status KvmPlugin::enumerate_disks(const Call& call, const Key& key, Sink<penstock_disk> sink) {
    Guest guest;
    if (auto status = find(key, guest); !status.ok()) return status;
    const auto files = domain_files();
    std::vector<Disk> disks;
    if (auto status = GuestDisks{proc_.get(), files, libvirt_}.list(guest, Deadline::of(call), disks); !status.ok())
        return status;
    for (const auto& disk : disks) {
        if (!emit(disk, sink)) break;
    }
    return {};
}

Status KvmPlugin::enumerate_actors(const Call& call, const Key& key, Sink<penstock_actor> sink) {
    Guest guest;
    if (auto status = find(key, guest); !status.ok()) return status;
    const auto files = domain_files();
    const auto disks = GuestDisks{proc_.get(), files, libvirt_}.list_cheaply(guest);
    return emit_actors(proc_.get(), guest, files.head(guest).has_value(), disks, Deadline::of(call), sink);
}

Status KvmPlugin::native_support(const Call&, const Key& key, std::string_view, Sink<penstock_limit_support> sink) {
    Guest guest;
    if (auto status = find(key, guest); !status.ok()) return status;
    for (std::uint64_t field = 1; field <= PENSTOCK_LIMIT_GROUP; field <<= 1) {
        if ((field & PENSTOCK_LIMIT_ALL) == 0) continue;
        penstock_limit_support record{};
        record.support = PENSTOCK_SUPPORT_NATIVE;
        record.field = field;
        record.minimum = 1;
        record.maximum = throttle_maximum;
        record.granularity = 1;
        if (!sink(record)) break;
    }
    return {};
}

Status KvmPlugin::change(const Call& call, const Key& key, std::string_view disk, const Change& change,
                         Sink<penstock_limits> sink) {
    Guest guest;
    if (auto status = find(key, guest); !status.ok()) return status;
    const auto files = domain_files();
    Throttle now;
    const Limiter limiter{proc_.get(), files, libvirt_};
    if (auto status = limiter.change(guest, std::string{disk}, change, Deadline::of(call), now); !status.ok())
        return status;
    sink(to_limits(now));
    return {};
}

Status KvmPlugin::native_read(const Call& call, const Key& key, std::string_view disk, Sink<penstock_limits> sink) {
    return change(call, key, disk, {}, sink);
}

Status KvmPlugin::native_apply(const Call& call, const Key& key, std::string_view disk, const penstock_limits& wanted,
                               Sink<penstock_limits> sink) {
    // Owns the group's name: libvirt's thread may use it after this call has returned.
    const auto merge_wanted = [wanted, group = std::string{view(wanted.group)}](Throttle& throttle) {
        auto own = wanted;
        own.group = str(group);
        return merge(throttle, own);
    };
    return change(call, key, disk, merge_wanted, sink);
}

Status KvmPlugin::native_clear(const Call& call, const Key& key, std::string_view disk, std::uint64_t mask,
                               Sink<penstock_limits> sink) {
    const auto remove = [mask](Throttle& throttle) {
        throttle = without(std::move(throttle), mask);
        return Status{};
    };
    return change(call, key, disk, remove, sink);
}

} // namespace penstock::kvm
