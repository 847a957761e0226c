// SPDX-License-Identifier: Apache-2.0
#include "discovery.hpp"

#include "own_cgroup.hpp"

#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::lxc {

namespace {

constexpr std::size_t containers_cap = 20'000;
constexpr std::size_t descriptors_cap = 4'096;

} // namespace

Discovery::Discovery(const Processes& processes, const CgroupMounts& mounts, bool nested,
                     std::function<void(const std::string&)> log)
    : processes_{processes}, mounts_{mounts}, nested_{nested}, log_{std::move(log)} {}

std::vector<Container> Discovery::run() {
    if (const auto text = processes_.root().read("net/unix")) sockets_ = parse_command_sockets(*text);
    // A monitor has daemonised or is a service, so its parent is nearly always process 1: that looks at a tenth of the
    // processes of a host full of containers.
    for (const int pid : processes_.children(1)) look_at(pid, nullptr);
    if (!all_sockets_explained()) look_everywhere();
    if (nested_) descend();
    return std::move(found_);
}

bool Discovery::all_sockets_explained() const {
    return std::all_of(sockets_.begin(), sockets_.end(),
                       [&](const auto& socket) { return explained_.contains(socket.address); });
}

void Discovery::look_everywhere() {
    for (const int pid : processes_.all()) {
        if (seen_.contains(pid)) continue;
        const auto command_line = processes_.command_line(pid);
        if (!command_line || (parse_monitor_title(*command_line).empty() && !is_foreground_start(*command_line)))
            continue;
        if (processes_.pid_namespace_depth(pid) == 0) look_at(pid, nullptr);
    }
}

void Discovery::descend() {
    // found_ grows while it is read: what is nested in a nested container comes after it.
    for (std::size_t i = 0; i < found_.size() && found_.size() < containers_cap; ++i) {
        const Container outer = found_[i];
        const auto* membership = io_membership(outer.memberships);
        if (!outer.cgroup.empty() && membership != nullptr && !may_nest(mounts_, *membership, outer.cgroup)) continue;
        for (const int pid : processes_.children(outer.init)) look_at(pid, &outer);
    }
}

void Discovery::look_at(int pid, const Container* outer) {
    if (!seen_.insert(pid).second || found_.size() >= containers_cap) return;
    const auto command_line = processes_.command_line(pid);
    if (!command_line || command_line->empty()) return;
    auto own = container_of_monitor(*command_line);
    if (!own && is_foreground_start(*command_line)) own = container_of_foreground(pid, *command_line);
    if (!own) return;

    const auto uid = processes_.owner(pid);
    if (!uid) return;
    if (!trusted(pid, *uid, *own, outer)) {
        log_("process " + std::to_string(pid) + " of uid " + std::to_string(*uid) + " looks like the monitor of " +
             own->id() + ", which is not that user's: ignored");
        return;
    }
    if (outer == nullptr) explained_.insert(own->command_socket());
    const auto init = init_of(pid);
    const auto cgroups = init ? processes_.cgroups(init->pid) : std::nullopt;
    if (!cgroups) return;

    Container container;
    container.own = *own;
    container.id = outer == nullptr ? own->id() : outer->id + "/" + own->id();
    container.name = outer == nullptr ? own->name : outer->name + "/" + own->name;
    container.monitor = pid;
    container.init = init->pid;
    container.init_start = init->start;
    container.monitor_uid = *uid;
    container.init_uid = processes_.owner(init->pid).value_or(0);
    container.init_state = init->state;
    container.nested = outer != nullptr;
    container.memberships = parse_memberships(*cgroups);
    container.cgroup = own_cgroup(processes_, container);
    if (!ids_.insert(container.id).second) {
        log_("process " + std::to_string(pid) + " is a second monitor of " + container.id + ": ignored");
        return;
    }
    found_.push_back(std::move(container));
}

std::optional<ContainerName> Discovery::container_of_monitor(std::string_view command_line) const {
    const auto readings = parse_monitor_title(command_line);
    for (const auto& reading : readings) {
        if (readings.size() > 1 && has_socket(reading)) return reading;
    }
    return readings.empty() ? std::nullopt : std::optional{readings.front()};
}

bool Discovery::has_socket(const ContainerName& container) const {
    const auto address = container.command_socket();
    return std::any_of(sockets_.begin(), sockets_.end(), [&](const auto& socket) { return socket.address == address; });
}

std::optional<ContainerName> Discovery::container_of_foreground(int pid, std::string_view command_line) const {
    for (const auto& socket : sockets_held_by(pid)) {
        if (const auto container = match_foreground(command_line, socket.address)) return container;
    }
    return std::nullopt;
}

std::vector<CommandSocket> Discovery::sockets_held_by(int pid) const {
    std::vector<CommandSocket> held;
    const auto process = processes_.open(pid);
    const auto descriptors = process ? process.open("fd") : Directory{};
    const auto net_unix = descriptors ? process.read("net/unix") : std::nullopt; // of its own network namespace
    if (!net_unix) return held;
    const auto sockets = parse_command_sockets(*net_unix);
    for (const auto& entry : descriptors.entries(descriptors_cap)) {
        constexpr std::string_view prefix = "socket:[";
        const auto target = descriptors.link(entry.name.c_str());
        if (!target || !target->starts_with(prefix) || !target->ends_with(']')) continue;
        const auto inode = sdk::number<std::uint64_t>(
            std::string_view{*target}.substr(prefix.size(), target->size() - prefix.size() - 1));
        for (const auto& socket : sockets) {
            if (inode && socket.inode == *inode) held.push_back(socket);
        }
    }
    return held;
}

bool Discovery::trusted(int pid, uid_t uid, const ContainerName& container, const Container* outer) const {
    // Inside a container its root may claim what it likes: the claim stays below that container's id.
    if (outer != nullptr) return uid == outer->init_uid;
    if (uid == 0) return true;
    const auto directory = std::to_string(pid) + "/root" + container.lxcpath + "/" + container.name;
    return processes_.root().owner(directory.c_str()) == uid;
}

std::optional<sdk::ProcessStat> Discovery::init_of(int monitor) const {
    const auto monitor_namespace = processes_.mount_namespace(monitor);
    std::optional<sdk::ProcessStat> init;
    for (const int pid : processes_.children(monitor)) {
        const auto child = processes_.stat(pid);
        if (!child || child->ended()) continue;
        // Still LXC's own code: the container is starting. (CRIU restores without execve, but with the old name.)
        if (child->forked_only) {
            const auto parent = processes_.stat(monitor);
            if (!parent || parent->comm == child->comm) continue;
        }
        // A hook, or the child of a setuid program that was started under a monitor's title, shares the mount
        // namespace.
        const auto name_space = processes_.mount_namespace(pid);
        if (monitor_namespace && name_space
                ? *monitor_namespace == *name_space
                : processes_.pid_namespace_depth(pid) <= processes_.pid_namespace_depth(monitor)) {
            continue;
        }
        if (!init || child->start < init->start) init = child;
    }
    return init;
}

} // namespace penstock::lxc
