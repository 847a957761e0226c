// SPDX-License-Identifier: Apache-2.0
#include "observe/limit_checks.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"
#include "cgroup/controls.hpp"
#include "enforce/executor.hpp"
#include "resolve/address.hpp"
#include "sys/block_device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

// A limit on any device of the chain acts on the disk's I/O, also on one underneath (measured: LV and its PV).
bool serves(const InstanceView& view, DeviceNumber device) {
    return std::any_of(view.disks.begin(), view.disks.end(), [&](const DiskView& disk) {
        return std::any_of(disk.chain.links.begin(), disk.chain.links.end(),
                           [&](const ChainLink& link) { return link.device == device; });
    });
}

std::string name_of(const Roots& roots, DeviceNumber number) {
    const auto device = read_block_device(roots, number);
    return device ? fmt::format("{} ({})", device->name, number.text()) : number.text();
}

void check_wrong_devices(const Roots& roots, const InstanceView& view, const Cgroup& cgroup, Findings& findings) {
    const auto devices = limited_devices(cgroup);
    if (!devices || view.disks.empty()) return;
    for (const auto& device : *devices)
        if (!serves(view, device))
            findings.push_back({Severity::warning, "limit.wrong_device", address_of(view.instance),
                                fmt::format("{} has a limit on {}, on which it has no disk",
                                            printable(cgroup.directory()), name_of(roots, device)),
                                "that limit does not act on the instance",
                                "set it on the device that 'penstock explain' names, and remove this one"});
}

// v2 limits add up along the way: libvirt writes <scope>/libvirt/io.max, systemd <scope>/io.max.
std::vector<std::string> other_limits(const Hierarchy& hierarchy, const Cgroup& cgroup, DeviceNumber device) {
    std::vector<std::string> paths;
    if (auto below = cgroup.children()) paths = *std::move(below);
    for (auto path = parent_path(cgroup.path()); path != "/"; path = parent_path(path)) paths.push_back(path);
    std::erase_if(paths, [&](const std::string& path) {
        const auto other = Cgroup::open(hierarchy, path);
        const auto limits = other ? read_limits(*other, device) : Result<Limits>{other.error()};
        return !limits || limits->empty();
    });
    return paths;
}

void check_two_cgroups(const Hierarchy& hierarchy, const InstanceView& view, const Cgroup& cgroup,
                       const DiskStatus& status, Findings& findings) {
    const auto& device = view.find(status.disk)->chain.device;
    const auto here = device ? read_limits(cgroup, device->number) : Result<Limits>{Limits{}};
    if (!here || here->empty()) return;
    for (const auto& path : other_limits(hierarchy, cgroup, device->number))
        findings.push_back(
            {Severity::warning, "limit.twice", address_of(view.instance, status.disk),
             fmt::format("{} and {} both limit {}", printable(cgroup.path()), printable(path), device->name),
             "the smaller one of each counts, whichever was set last",
             "keep one: libvirt's with 'virsh blkiotune', systemd's with 'systemctl set-property', "
             "Penstock's with 'penstock clear'"});
}

void check_native_and_cgroup(Executor& executor, const InstanceView& view, const DiskStatus& status,
                             Findings& findings) {
    const auto& disk = view.find(status.disk)->disk;
    if (!disk.native_limit || status.point.engine != Engine::cgroup || status.seen.empty()) return;
    const auto native =
        executor.read({.engine = Engine::native, .key = view.instance.key, .native_id = disk.native_id});
    if (!native || native->empty()) return;
    findings.push_back({Severity::warning, "limit.twice", address_of(view.instance, status.disk),
                        fmt::format("the cgroup limits it ({}), and so does the hypervisor ({})", describe(status.seen),
                                    describe(*native)),
                        "the smaller one counts, and 'status' shows one of them only",
                        "keep one: 'virsh blkdeviotune' or QMP removes the hypervisor's, 'penstock clear' Penstock's"});
}

} // namespace

void check_limits(Inventory& inventory, const InstanceView& view, std::span<const DiskStatus> disks,
                  Findings& findings) {
    const auto& hierarchy = inventory.hierarchy();
    if (!hierarchy || !view.placement || view.placement->obstacle || view.placement->create) return;
    const auto cgroup = Cgroup::open(*hierarchy, view.placement->cgroup);
    if (!cgroup) return;
    check_wrong_devices(inventory.roots(), view, *cgroup, findings);
    Executor executor{inventory.roots(), &*hierarchy, inventory.plugins().find(view.instance.key.kind)};
    for (const auto& status : disks) {
        if (hierarchy->version == CgroupVersion::v2) check_two_cgroups(*hierarchy, view, *cgroup, status, findings);
        check_native_and_cgroup(executor, view, status, findings);
    }
}

} // namespace penstock
