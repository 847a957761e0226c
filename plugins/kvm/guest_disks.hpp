// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "domain_files.hpp"
#include "guest.hpp"
#include "guest_path.hpp"
#include "libvirt_worker.hpp"
#include "record.hpp"

#include <vector>

namespace penstock::kvm {

// The disks of a guest from the best source that answers: libvirt's record, QMP, or the command line.
class GuestDisks {
public:
    GuestDisks(int proc, const DomainFiles& files, LibvirtWorker& libvirt)
        : proc_{proc}, files_{files}, libvirt_{libvirt} {}

    sdk::Status list(const Guest& guest, const Deadline& deadline, std::vector<Disk>& disks) const;

    // Without a conversation where that can be: what is known of targets and iothreads.
    std::vector<Disk> list_cheaply(const Guest& guest) const;

    // Of a libvirt guest: its domain, as the status file or, where that cannot be used, the daemon describes it.
    sdk::Status domain(const Guest& guest, const Deadline& deadline, Domain& out) const;

private:
    sdk::Status managed(const Guest& guest, const Deadline& deadline, std::vector<Disk>& disks) const;
    sdk::Status query(const Guest& guest, const GuestPaths& paths, const Deadline& deadline,
                      std::vector<Disk>& disks) const;

    int proc_;
    const DomainFiles& files_;
    LibvirtWorker& libvirt_;
};

} // namespace penstock::kvm
