// SPDX-License-Identifier: Apache-2.0
#include "instance_record.hpp"

#include "guests.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace penstock::kvm {

namespace {

Instance describe(Guest guest, const DomainFiles& files) {
    Instance out;
    out.id = guest.id();
    out.name = guest.name();
    out.incarnation = guest.incarnation().text();
    const bool stopped = guest.process.state == 'T' || guest.process.state == 't';
    out.state = stopped ? PENSTOCK_STATE_PAUSED : PENSTOCK_STATE_RUNNING;
    const auto& sockets = guest.command.qmp_paths;
    if (const auto head = files.head(guest)) {
        out.manager = "libvirt";
        out.capabilities = PENSTOCK_CAP_MANAGED;
        if (!stopped && head->state != PENSTOCK_STATE_UNKNOWN) out.state = head->state;
        if (head->state == PENSTOCK_STATE_UNKNOWN) out.note = "libvirt's status file of it cannot be used";
        if (files.has_socket()) out.capabilities |= PENSTOCK_CAP_NATIVE_LIMIT;
    } else if (!sockets.empty()) {
        out.capabilities = PENSTOCK_CAP_NATIVE_LIMIT;
        if (sockets.front().starts_with("/var/run/qemu-server/") || sockets.front().starts_with("/run/qemu-server/")) {
            out.manager = "proxmox";
            out.capabilities |= PENSTOCK_CAP_MANAGED;
        }
    } else {
        out.note = guest.command.control_fd ? "its QMP monitor belongs to the program that started it"
                                            : "started without a QMP socket: only its command line tells of its disks";
    }
    out.guest = std::move(guest);
    return out;
}

// A uuid or name is given by whoever starts a QEMU, so two can have the same. The one that libvirt or root vouches for
// keeps it, else the older one.
void make_ids_unique(std::vector<Instance>& instances) {
    std::vector<Instance*> order;
    for (auto& instance : instances) order.push_back(&instance);
    std::stable_sort(order.begin(), order.end(), [](const Instance* a, const Instance* b) {
        const auto rank = [](const Instance& i) {
            return std::tuple{(i.capabilities & PENSTOCK_CAP_MANAGED) == 0, i.guest.uid != 0, i.guest.process.start};
        };
        return rank(*a) < rank(*b);
    });
    std::set<std::string> taken;
    for (auto* instance : order) {
        if (taken.insert(instance->id).second) continue;
        instance->note = "another virtual machine has the same id " + instance->id;
        instance->id += "#" + instance->incarnation;
    }
}

} // namespace

std::vector<Instance> find_instances(int proc, const DomainFiles& files, const Deadline& deadline, bool& complete) {
    complete = true;
    auto guests = find_guests(proc, [&] { return complete = !deadline.passed(); });
    std::vector<Instance> instances;
    instances.reserve(guests.size());
    for (auto& guest : guests) instances.push_back(describe(std::move(guest), files));
    make_ids_unique(instances);
    return instances;
}

bool emit(const Instance& instance, const sdk::Sink<penstock_instance>& sink) {
    penstock_instance record{};
    record.state = instance.state;
    record.key = {sdk::str("kvm"), sdk::str(instance.id), sdk::str(instance.incarnation)};
    record.name = sdk::str(instance.name);
    record.main_pid = record.root_pid = instance.guest.process.pid;
    record.main_start = instance.guest.process.start;
    record.capabilities = instance.capabilities;
    record.manager = sdk::str(instance.manager);
    record.note = sdk::str(instance.note);
    return sink(record);
}

} // namespace penstock::kvm
