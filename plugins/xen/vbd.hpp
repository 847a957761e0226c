// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain.hpp"
#include "store.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::xen {

// Who serves a disk: blkback in the kernel, QEMU, or a tapdisk (tapback of XenServer and XCP-ng).
inline constexpr std::array<std::string_view, 3> disk_kinds{"vbd", "qdisk", "vbd3"};

// A disk as its backend knows it. What the guest writes, its frontend, is never read.
struct Vbd {
    std::string kind;          // of disk_kinds
    std::uint32_t backend = 0; // the domid of who serves it
    std::uint32_t device = 0;  // the number that the guest knows it by: 51712 is xvda
    std::string dev;           // "xvda": what the configuration calls it
    std::string params;        // "aio:/var/img/web.raw"; not asked for where block_device says it
    bool read_only = false;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> block_device; // vbd: major and minor, once it is attached
    std::optional<int> process;                                          // vbd3: the tapdisk
    std::string target;                                                  // what Penstock calls it

    bool empty() const { return params.empty() && !block_device; }
    // Served by this host's blkback, QEMU, tapdisk.
    bool by_blkback() const { return kind == "vbd" && backend == 0; }
    bool by_qemu() const { return kind == "qdisk" && backend == 0; }
    bool by_tapdisk() const { return kind == "vbd3" && backend == 0; }
};

// "fc:0", hexadecimal; nothing where it is anything else.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_physical_device(std::string_view text);

// What a domain's disks, and the QEMU beside it, are.
struct DomainDisks {
    std::vector<Vbd> disks;
    std::optional<int> device_model; // a pid that somebody wrote: not yet known to be its QEMU
    bool paravirtual = false;        // pv or pvh: its QEMU, if any, serves qdisks alone
    bool complete = true;            // false: there are more than are listed
};

// GONE where the domain has ended.
sdk::Status read_disks(Store& store, const sdk::Call& call, const Domain& domain,
                       const std::vector<BackendDomain>& backends, DomainDisks& found);

} // namespace penstock::xen
