// SPDX-License-Identifier: Apache-2.0
#include "guest_disks.hpp"

#include "block_query.hpp"
#include "command_disks.hpp"
#include "device_name.hpp"
#include "libvirt_tune.hpp"
#include "qmp_session.hpp"

#include <algorithm>

namespace penstock::kvm {

using namespace std::chrono_literals;

namespace {

constexpr auto greeting_patience = 300ms;

void remark_all(std::vector<Disk>& disks, const std::string& note) {
    for (auto& disk : disks) {
        disk.flags &= ~PENSTOCK_DISK_NATIVE_LIMIT;
        disk.remark(note);
    }
}

void mark_own_process(std::vector<Disk>& disks) {
    const auto used = [](const Disk& disk) { return (disk.flags & PENSTOCK_DISK_EMPTY) == 0; };
    if (std::count_if(disks.begin(), disks.end(), used) != 1) return;
    std::find_if(disks.begin(), disks.end(), used)->flags |= PENSTOCK_DISK_OWN_PROCESS;
}

// The object whose type is the device that a user knows: virtio-blk-pci, not its inner virtio-blk-device.
std::string device_object(std::string_view qdev) {
    if (const auto id = device_id(qdev); !id.empty()) return "/machine/peripheral/" + std::string{id};
    if (constexpr std::string_view inner = "/virtio-backend"; qdev.ends_with(inner)) qdev.remove_suffix(inner.size());
    return std::string{qdev};
}

void complete(Disk& disk, const CommandLine& command, QmpClient& client, const Deadline& deadline) {
    if (const auto* device = command.device(device_id(disk.native_id))) {
        disk.set_driver(device->get("driver"));
        disk.iothreads = iothreads_of(command, *device);
    } else {
        boost::json::value type;
        const auto status =
            client.execute("qom-get", {{"path", device_object(disk.native_id)}, {"property", "type"}}, deadline, type);
        if (status.ok() && type.is_string()) disk.set_driver(type.get_string());
    }
    if (!bypasses_limiter(disk.driver)) return;
    disk.flags &= ~PENSTOCK_DISK_NATIVE_LIMIT;
    disk.remark(bypass_note);
}

} // namespace

sdk::Status GuestDisks::domain(const Guest& guest, const Deadline& deadline, Domain& out) const {
    const auto text = files_.status(guest);
    auto domain = text ? parse_domain(*text, guest.command) : std::nullopt;
    if (domain && domain->pid == guest.process.pid) {
        out = std::move(*domain);
        return {};
    }
    if (!files_.has_socket())
        return {PENSTOCK_E_BUSY, "libvirt's status file cannot be used, and its daemon is not running: start it"};
    const auto xml = std::make_shared<std::string>();
    const auto ask = [xml, uuid = guest.command.uuid](const LibvirtLibrary& library, virConnectPtr connection) {
        return domain_xml(library, connection, uuid, *xml);
    };
    if (auto status = libvirt_.run(ask, deadline); !status.ok()) return status;
    domain = parse_domain(*xml, guest.command);
    if (!domain)
        return {PENSTOCK_E_MALFORMED,
                "libvirt's description of domain " + guest.command.uuid + " cannot be understood"};
    out = std::move(*domain);
    return {};
}

sdk::Status GuestDisks::managed(const Guest& guest, const Deadline& deadline, std::vector<Disk>& disks) const {
    Domain found;
    if (auto status = domain(guest, deadline, found); !status.ok()) return status;
    disks = std::move(found.disks);
    if (!files_.has_socket())
        remark_all(disks, "libvirt's daemon is not running: only it can reach QEMU's own limiter");
    return {};
}

sdk::Status GuestDisks::query(const Guest& guest, const GuestPaths& paths, const Deadline& deadline,
                              std::vector<Disk>& disks) const {
    std::optional<QmpClient> client;
    if (auto status = open_qmp(proc_, guest, paths, deadline, greeting_patience, client); !status.ok()) return status;
    boost::json::value blocks, nodes;
    if (auto status = client->execute("query-block", {}, deadline, blocks); !status.ok()) return status;
    if (auto status = client->execute("query-named-block-nodes", {{"flat", true}}, deadline, nodes); !status.ok())
        return status;
    if (!blocks.is_array() || !nodes.is_array()) return {PENSTOCK_E_MALFORMED, "its answer to query-block is no list"};
    disks = disks_of_query(blocks, nodes);
    for (auto& disk : disks) complete(disk, guest.command, *client, deadline);
    // Devices that have no block node are on the command line alone.
    for (auto& disk : disks_of_command(guest.command)) {
        if (is_foreign_disk(disk.driver)) disks.push_back(std::move(disk));
    }
    return {};
}

sdk::Status GuestDisks::list(const Guest& guest, const Deadline& deadline, std::vector<Disk>& disks) const {
    const GuestPaths paths{proc_, guest.process.pid};
    // Half of the time: a peer that hangs must leave enough of it to report the command line instead.
    const auto asking = deadline.at_most(deadline.remaining() / 2);
    const auto status = files_.head(guest) ? managed(guest, asking, disks) : query(guest, paths, asking, disks);
    if (!status.ok()) {
        if (!is_alive(proc_, guest)) return concluded(proc_, guest, status);
        disks = disks_of_command(guest.command);
        if (disks.empty() && !guest.command.qmp_paths.empty()) return status;
        remark_all(disks, "as QEMU was started, not as it is now: " + status.message());
    }
    for (auto& disk : disks) {
        for (auto& layer : disk.layers) paths.locate(layer);
    }
    make_targets_unique(disks);
    mark_own_process(disks);
    return {};
}

std::vector<Disk> GuestDisks::list_cheaply(const Guest& guest) const {
    const auto text = files_.head(guest) ? files_.status(guest) : std::nullopt;
    const auto domain = text ? parse_domain(*text, guest.command) : std::nullopt;
    auto disks = domain ? domain->disks : disks_of_command(guest.command);
    make_targets_unique(disks);
    return disks;
}

} // namespace penstock::kvm
