// SPDX-License-Identifier: Apache-2.0
#include "lxc_plugin.hpp"

#include "container_tasks.hpp"
#include "container_view.hpp"
#include "device_nodes.hpp"
#include "discovery.hpp"
#include "instance_record.hpp"
#include "liblxc.hpp"
#include "mount_disks.hpp"
#include "own_cgroup.hpp"

#include <penstock/process.hpp>

#include <cerrno>

namespace penstock::lxc {

using namespace sdk;

// The init of one incarnation, held by its /proc directory.
struct LxcPlugin::Target {
    Directory process;
    sdk::ProcessStat init;
    Container container;
};

LxcPlugin::LxcPlugin(Host host)
    : host_{host}, processes_{std::string{host.proc_root()}}, nested_{host.config("nested") != "no"} {}

std::vector<Container> LxcPlugin::discover(const CgroupMounts& mounts) const {
    return Discovery{processes_, mounts, nested_,
                     [this](const std::string& why) { host_.log(PENSTOCK_LOG_DEBUG, why); }}
        .run();
}

CgroupMounts LxcPlugin::cgroup_mounts() const {
    return CgroupMounts{[this] { return processes_.root().read("self/mountinfo").value_or(""); },
                        std::string{host_.sys_root()}};
}

Status LxcPlugin::find(const Key& key, Target& target) const {
    const auto gone = [&] {
        return Status{PENSTOCK_E_GONE, "container " + std::string{key.id} + " has ended or was restarted"};
    };
    const auto incarnation = sdk::parse_incarnation(key.incarnation);
    if (!incarnation || key.kind != info.kind) {
        return Status{PENSTOCK_E_MALFORMED, "not a key of this plugin: " + std::string{key.incarnation}};
    }
    target.process = processes_.open(incarnation->pid);
    const auto stat = target.process ? sdk::read_process_stat(target.process.fd(), "stat") : std::nullopt;
    if (!stat || stat->start != incarnation->start || stat->ended()) return gone();
    const auto memberships = target.process.read("cgroup");
    if (!memberships) return gone();
    target.init = *stat;
    auto& container = target.container;
    container.id = key.id;
    container.own.name = key.id.substr(key.id.rfind('/') + 1);
    container.nested = key.id.find("//") != std::string_view::npos;
    container.init = stat->pid;
    container.monitor = stat->parent;
    container.monitor_uid = processes_.owner(stat->parent).value_or(0);
    container.memberships = parse_memberships(*memberships);
    container.cgroup = own_cgroup(processes_, container);
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

    const auto count = discover(cgroup_mounts()).size();
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
    const auto mounts = cgroup_mounts();
    for (const auto& container : discover(mounts)) {
        if (call.remaining().count() == 0) return {PENSTOCK_E_TIMEOUT, "listing the LXC containers took too long"};
        if (!emit(container, describe(processes_, mounts, container), sink)) return {};
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
    if (const auto* membership = membership_of(target.container.memberships, "devices")) {
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
    const bool own_cgroup = !target.container.cgroup.empty();
    const auto emit_actor = [&](const sdk::ProcessStat& stat, std::uint32_t role) {
        penstock_actor record{};
        record.role = role;
        record.pid = record.tid = stat.pid;
        record.start_time = stat.start;
        record.exclusive = PENSTOCK_ANSWER_YES;
        // LXC owns the cgroup it made, and looks for the processes there.
        record.movable = own_cgroup ? PENSTOCK_ANSWER_NO : PENSTOCK_ANSWER_UNKNOWN;
        record.name = str(stat.comm);
        return sink(record);
    };
    if (!emit_actor(target.init, PENSTOCK_ROLE_CONTAINER_INIT)) return {};

    // What is in the container's cgroup is what a limit holds for, also what was attached from outside. Without a
    // cgroup of its own there is only descent.
    bool complete = true;
    std::vector<int> pids;
    if (own_cgroup) {
        const auto path =
            cgroup_mounts().directory_of(*io_membership(target.container.memberships), target.container.cgroup);
        if (path) pids = processes_below(Directory{*path}, complete);
    } else {
        pids = descendants_of(processes_, target.init.pid);
    }
    for (const int pid : pids) {
        if (pid == target.init.pid) continue;
        if (call.remaining().count() == 0)
            return {PENSTOCK_E_TIMEOUT, "container " + std::string{key.id} + " has too many processes"};
        const auto stat = processes_.stat(pid);
        if (stat && !stat->ended() && !emit_actor(*stat, PENSTOCK_ROLE_CONTAINER_TASK)) return {};
    }
    if (!complete)
        return {PENSTOCK_E_PARTIAL, "container " + std::string{key.id} + " has more processes than are listed"};
    return {};
}

} // namespace penstock::lxc
