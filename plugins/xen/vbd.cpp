// SPDX-License-Identifier: Apache-2.0
#include "vbd.hpp"

#include <penstock/disk_record.hpp>
#include <penstock/text.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

namespace penstock::xen {

using namespace sdk;

namespace {

constexpr std::size_t disk_cap = 1024; // of one domain
constexpr std::size_t target_max = 64; // bytes

// Keys of a backend's node. The fewer are asked for, the sooner a host with thousands of disks is listed: where blkback
// has a device, its number says it all.
std::span<const char* const> keys_of(std::string_view kind) {
    static constexpr std::array vbd{"dev", "mode", "physical-device"};
    static constexpr std::array qdisk{"dev", "mode", "params"};
    static constexpr std::array vbd3{"dev", "mode", "params", "kthread-pid"}; // tapback writes the tapdisk's pid there
    if (kind == "vbd") return vbd;
    if (kind == "qdisk") return qdisk;
    return vbd3;
}

// Toolstacks have written "/dev/xvda", and "hdc:cdrom".
std::string plain_dev(std::string dev) {
    constexpr std::string_view directory = "/dev/";
    if (dev.starts_with(directory)) dev.erase(0, directory.size());
    return dev.substr(0, dev.find(':'));
}

std::string wanted_target(const Vbd& vbd) {
    if (vbd.dev.empty() || vbd.dev.size() > target_max) return "vbd-" + std::to_string(vbd.device);
    return vbd.dev;
}

std::vector<Vbd> nodes_in(const std::vector<std::optional<std::vector<std::string>>>& listings,
                          const std::vector<BackendDomain>& backends) {
    std::vector<Vbd> disks;
    std::size_t at = 0;
    for (const auto& backend : backends) {
        for (const auto& kind : backend.kinds) {
            for (const auto& name : listings[at++].value_or(std::vector<std::string>{})) {
                if (const auto device = number<std::uint32_t>(name))
                    disks.push_back({.kind = kind, .backend = backend.domid, .device = *device});
            }
        }
    }
    // dom0's first: no driver domain can take the name of one of its disks.
    std::sort(disks.begin(), disks.end(), [](const Vbd& a, const Vbd& b) {
        return std::tie(a.backend, a.device, a.kind) < std::tie(b.backend, b.device, b.kind);
    });
    return disks;
}

} // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_physical_device(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto major = number<std::uint32_t>(text.substr(0, colon), 16);
    const auto minor = number<std::uint32_t>(text.substr(colon + 1), 16);
    // 12 and 20 bits: linux/kdev_t.h
    if (!major || !minor || *major == 0 || *major > 0xfff || *minor > 0xfffff) return std::nullopt;
    return std::pair{*major, *minor};
}

Status read_disks(Store& store, const Call& call, const Domain& domain, const std::vector<BackendDomain>& backends,
                  DomainDisks& found) {
    const auto domid = std::to_string(domain.domid);
    const auto directory_of = [&](std::uint32_t backend, std::string_view kind) {
        return "/local/domain/" + std::to_string(backend) + "/backend/" + std::string{kind} + "/" + domid;
    };
    std::vector<std::string> paths;
    for (const auto& backend : backends) {
        for (const auto& kind : backend.kinds) paths.push_back(directory_of(backend.domid, kind));
    }
    std::vector<std::optional<std::vector<std::string>>> listings;
    if (auto status = store.list(paths, call, listings); !status.ok()) return status;
    found.disks = nodes_in(listings, backends);
    found.complete = found.disks.size() <= disk_cap;
    if (!found.complete) found.disks.resize(disk_cap);

    const auto home = "/local/domain/" + domid;
    paths.assign({home + "/image/device-model-pid"});
    const auto node_of = [&](const Vbd& disk) {
        return directory_of(disk.backend, disk.kind) + "/" + std::to_string(disk.device) + "/";
    };
    for (const auto& disk : found.disks) {
        for (const auto* key : keys_of(disk.kind)) paths.push_back(node_of(disk) + key);
    }
    std::vector<std::optional<std::string>> values;
    if (auto status = store.read(paths, call, values); !status.ok()) return status;
    found.device_model = values[0] ? number<int>(*values[0]) : std::nullopt;

    UniqueTargets targets;
    std::vector<std::string> params;
    std::size_t at = 1;
    for (auto& disk : found.disks) {
        disk.dev = plain_dev(values[at].value_or(""));
        disk.read_only = values[at + 1].value_or("").starts_with('r');
        const auto third = values[at + 2].value_or("");
        if (disk.kind == "vbd")
            disk.block_device = parse_physical_device(third);
        else
            disk.params = third;
        if (disk.kind == "vbd3" && values[at + 3]) disk.process = number<int>(*values[at + 3]);
        disk.target = targets.take(wanted_target(disk));
        at += keys_of(disk.kind).size();
        if (disk.kind == "vbd" && !disk.block_device) params.push_back(node_of(disk) + "params");
    }
    if (auto status = store.read(params, call, values); !status.ok()) return status;
    at = 0;
    for (auto& disk : found.disks) {
        if (disk.kind == "vbd" && !disk.block_device) disk.params = values[at++].value_or("");
    }
    // Most domains have disks, and no QEMU: then this need not be asked.
    if (!found.disks.empty() && !found.device_model) return {};
    if (auto status = store.read({home + "/name", "/libxl/" + domid + "/type"}, call, values); !status.ok())
        return status;
    if (!values[0]) return {PENSTOCK_E_GONE, "domain " + domain.id + " has ended"};
    found.paravirtual = values[1] == "pv" || values[1] == "pvh";
    return {};
}

} // namespace penstock::xen
