// SPDX-License-Identifier: Apache-2.0
#include "instance_record.hpp"

#include <penstock/text.hpp>

namespace penstock::lxc {

namespace {

std::string manager_of(const Container& container, std::string_view init_cgroup) {
    const std::string_view lxcpath = container.own.lxcpath;
    if (lxcpath.ends_with("/lxd/containers")) return "lxd";
    if (lxcpath.ends_with("/incus/containers")) return "incus";
    // Proxmox alone sets both lxc.cgroup.dir.container=lxc/ID and its inner "ns".
    const auto& name = container.own.name;
    const auto proxmox = "/lxc/" + name + "/ns";
    return init_cgroup.starts_with(proxmox) ? "proxmox" : "lxc";
}

// "0 100000 65536" and so on: the first line is root's, and without a user namespace it maps to itself.
std::string mapping_note(const Processes& processes, const Container& container) {
    if (container.init_uid == 0) return {};
    const auto map = processes.root().read((std::to_string(container.init) + "/uid_map").c_str(), 4096);
    if (!map) return {};
    for (const auto line : sdk::split(*map, '\n')) {
        std::uint64_t values[3] = {};
        std::size_t count = 0;
        for (const auto word : sdk::split(line, ' ')) {
            const auto value = sdk::number<std::uint64_t>(word);
            if (value && count < 3) values[count++] = *value;
        }
        if (count == 3 && values[0] == 0 && values[1] != 0) {
            return "unprivileged: its root is uid " + std::to_string(values[1]) + " here";
        }
    }
    return {};
}

} // namespace

InstanceFacts describe(const Processes& processes, const CgroupMounts& mounts, const Container& container) {
    const auto* membership = io_membership(container.memberships);
    InstanceFacts facts;
    facts.state =
        frozen(mounts, container.memberships, container.init_state) ? PENSTOCK_STATE_PAUSED : PENSTOCK_STATE_RUNNING;
    facts.manager = manager_of(container, membership == nullptr ? "" : membership->path);
    const auto note = [&](std::string_view text) { facts.note.append(facts.note.empty() ? "" : "; ").append(text); };
    if (const auto mapping = mapping_note(processes, container); !mapping.empty()) note(mapping);
    if (container.nested) note("runs inside another container");
    if (container.cgroup.empty()) note("has no cgroup of its own: a limit would hold for others too");
    return facts;
}

bool emit(const Container& container, const InstanceFacts& facts, const sdk::Sink<penstock_instance>& sink) {
    const auto incarnation = container.incarnation();
    penstock_instance record{};
    record.state = facts.state;
    record.key = {sdk::str("lxc"), sdk::str(container.id), sdk::str(incarnation)};
    record.name = sdk::str(container.name);
    record.main_pid = record.root_pid = container.init;
    record.main_start = container.init_start;
    record.capabilities = container.cgroup.empty() ? 0 : PENSTOCK_CAP_MANAGED;
    record.cgroup_hint = sdk::str(container.cgroup);
    record.manager = sdk::str(facts.manager);
    record.note = sdk::str(facts.note);
    return sink(record);
}

} // namespace penstock::lxc
