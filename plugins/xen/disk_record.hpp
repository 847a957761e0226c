// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vbd.hpp"

#include <penstock/disk_record.hpp>

#include <string>

namespace penstock::xen {

// What is found out about a disk beyond its backend's node.
struct DiskFacts {
    int proc = -1;           // an open /proc
    int device_model = 0;    // the domain's QEMU; 0: none
    int tapdisk = 0;         // the tapdisk of this disk; 0: none
    bool has_thread = false; // blkback has a thread for it
    std::string backend;     // "'drv' (domain 5)" where the backend is in another domain
};

sdk::OwnedDisk describe(const Vbd& vbd, const DiskFacts& facts);

} // namespace penstock::xen
