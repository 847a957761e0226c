// SPDX-License-Identifier: Apache-2.0
#include "lxc_plugin.hpp"

#include "container_tasks.hpp"
#include "container_view.hpp"
#include "device_nodes.hpp"
#include "discovery.hpp"
#include "instance_record.hpp"
#include "liblxc.hpp"
#include "mount_disks.hpp"

#include <cerrno>

namespace penstock::lxc {

using namespace sdk;

// The init of one incarnation, held by its /proc directory.
struct LxcPlugin::Target {
    Directory process;
    ProcessStat init;
    CgroupMemberships memberships;
    std::string name;
};

LxcPlugin::LxcPlugin(Host host)
    : host_{host}, processes_{std::string{host.proc_root()}}, nested_{host.config("nested") != "no"} {}

std::vector<Container> LxcPlugin::discover() const {
    return Discovery{processes_, nested_, [this](const std::string& why) { host_.log(PENSTOCK_LOG_DEBUG, why); }}.run();
}

CgroupMounts LxcPlugin::cgroup_mounts() const {
    return CgroupMounts{processes_.root().read("self/mountinfo").value_or(""), host_.sys_root()};
}

Status LxcPlugin::find(const Key& key, Target& target) const {
    const auto gone = [&] { return Status{PENSTOCK_E_GONE, "container " + std::string{key.id} + " has ended or was restarted"}; };
    const auto incarnation = parse_incarnation(key.incarnation);
    if (!incarnation || key.kind != info.kind) {
        return Status{PENSTOCK_E_MALFORMED, "not a key of this plugin: " + std::string{key.incarnation}};
    }
    target.process = processes_.open(incarnation->init);
    const auto text = target.process ? target.process.read("stat") : std::nullopt;
    const auto stat = text ? parse_stat(*text) : std::nullopt;
    if (!stat || stat->start != incarnation->start || stat->ended()) return gone();
    const auto memberships = target.process.read("cgroup");
    if (!memberships) return gone();
    target.init = *stat;
    target.memberships = parse_memberships(*memberships);
    target.name = key.id.substr(key.id.rfind('/') + 1);
    return {};
}

Status LxcPlugin::probe(const Call&, Sink<penstock_probe> sink) {
    const auto library = find_liblxc();
    penstock_probe record{};
    record.component = str("liblxc");
    record.version = str(library.version);
    const auto detail = library.lxcpath.empty() ? library.detail : "default lxcpath " + library.lxcpath;
    record.detail = str(detail);
    record.status = library.state == Liblxc::State::present  ? PENSTOCK_PROBE_PRESENT
                    : library.state == Liblxc::State::absent ? PENSTOCK_PROBE_ABSENT
                                                             : PENSTOCK_PROBE_BROKEN;
    if (!sink(record)) return {};

    const auto count = discover().size();
    const auto running = std::to_string(count) + " running";
    penstock_probe containers{};
    containers.component = str("containers");
    containers.status = count != 0 ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_ABSENT;
    containers.detail = str(running);
    sink(containers);
    return {};
}

Status LxcPlugin::enumerate_instances(const Call& call, Sink<penstock_instance> sink) {
    if (!processes_.root()) return {PENSTOCK_E_DENIED, "cannot open " + std::string{host_.proc_root()}};
    const auto containers = discover();
    if (containers.empty()) return {};
    const auto mounts = cgroup_mounts();
    for (const auto& container : containers) {
        if (call.remaining().count() == 0) return {PENSTOCK_E_TIMEOUT, "listing the LXC containers took too long"};
        const auto instance = describe(processes_, mounts, container);
        if (instance && !emit(container, *instance, sink)) return {};
    }
    return {};
}

Status LxcPlugin::enumerate_disks(const Call&, const Key& key, Sink<penstock_disk> sink) {
    Target target;
    if (auto status = find(key, target); !status.ok()) return status;
    const auto mountinfo = target.process.read("mountinfo");
    if (!mountinfo || mountinfo->empty()) {
        return {PENSTOCK_E_GONE, "container " + std::string{key.id} + " ended while its mounts were read"};
    }
    const ContainerView view{target.process, processes_.open(target.init.parent)};
    if (!view.root()) {
        return {PENSTOCK_E_DENIED, "cannot look into container " + std::string{key.id} + ": run as root", EACCES};
    }
    auto disks = disks_of_mounts(parse_mountinfo(*mountinfo), view.views());

    std::optional<std::string> allowed;
    if (const auto* membership = membership_of(target.memberships, "devices")) {
        const auto directory = cgroup_mounts().directory_of(*membership, membership->path);
        if (directory) allowed = Directory{*directory}.read("devices.list");
    }
    add_device_disks(disks, find_device_nodes(view.root().open_beneath("/dev")), allowed);

    // The container may have ended half-way, with some of its files already unreadable.
    if (!target.process.read("stat")) return {PENSTOCK_E_GONE, "container " + std::string{key.id} + " ended"};
    for (const auto& disk : disks) {
        if (!emit(disk, sink)) return {};
    }
    return {};
}

Status LxcPlugin::enumerate_actors(const Call& call, const Key& key, Sink<penstock_actor> sink) {
    Target target;
    if (auto status = find(key, target); !status.ok()) return status;
    const auto emit_actor = [&](const ProcessStat& stat, std::uint32_t role) {
        penstock_actor record{};
        record.role = role;
        record.pid = record.tid = stat.pid;
        record.start_time = stat.start;
        record.exclusive = PENSTOCK_ANSWER_YES;
        record.movable = PENSTOCK_ANSWER_NO; // LXC owns the cgroup, and lxc-attach and lxc-stop look there
        record.name = str(stat.comm);
        return sink(record);
    };
    if (!emit_actor(target.init, PENSTOCK_ROLE_CONTAINER_INIT)) return {};

    const auto* membership = membership_of(target.memberships, "blkio");
    if (membership == nullptr) membership = membership_of(target.memberships, "");
    if (membership == nullptr) return {};
    const auto directory = cgroup_mounts().directory_of(*membership, payload_cgroup(membership->path, target.name));
    bool complete = true;
    for (const int pid : directory ? processes_below(Directory{*directory}, complete) : std::vector<int>{}) {
        if (pid == target.init.pid) continue;
        if (call.remaining().count() == 0) return {PENSTOCK_E_TIMEOUT, "container " + std::string{key.id} + " has too many processes"};
        const auto stat = processes_.stat(pid);
        if (stat && !stat->ended() && !emit_actor(*stat, PENSTOCK_ROLE_CONTAINER_TASK)) return {};
    }
    if (!complete) return {PENSTOCK_E_PARTIAL, "container " + std::string{key.id} + " has more processes than are listed"};
    return {};
}

} // namespace penstock::lxc
