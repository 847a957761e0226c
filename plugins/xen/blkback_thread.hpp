// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vbd.hpp"

#include <penstock/process.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::xen {

// A kernel thread of blkback: one for each ring of each disk. Linux calls it "DOMID.DEV-RING"; older kernels call it
// "blkback.DOMID.DEV" or "blkback.DOMID.DEV-RING", of which 15 characters are left.
struct BlkbackName {
    std::uint32_t domid = 0;
    std::string dev;  // "xvda"; its beginning where the end is cut off
    bool cut = false; // there may have been more
    bool operator==(const BlkbackName&) const = default;
};
std::optional<BlkbackName> parse_blkback_name(std::string_view comm);

struct BlkbackThread {
    sdk::ProcessStat process;
    BlkbackName name;
};

// All of this host. Any process may call itself so, but only kernel threads are taken.
std::vector<BlkbackThread> find_blkback_threads(int proc);

// The disks of domain `domid` that a thread may serve: one, or several where its name is cut off; none: another
// domain's, or a disk that is gone.
std::vector<const Vbd*> served_by(const BlkbackThread& thread, std::uint32_t domid, const std::vector<Vbd>& disks);

} // namespace penstock::xen
