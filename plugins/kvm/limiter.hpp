// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "domain_files.hpp"
#include "guest.hpp"
#include "guest_disks.hpp"
#include "libvirt_tune.hpp"
#include "libvirt_worker.hpp"
#include "throttle.hpp"

namespace penstock::kvm {

// QEMU's own limiter: through QMP, or through libvirt where libvirt holds the monitor.
class Limiter {
public:
    Limiter(int proc, const DomainFiles& files, LibvirtWorker& libvirt)
        : proc_{proc}, files_{files}, libvirt_{libvirt} {}

    // Reads the setting of a disk, changes it and reads it back. Without a change it only reads.
    sdk::Status change(const Guest& guest, const std::string& native_id, const Change& change, const Deadline& deadline,
                       Throttle& now) const;

private:
    sdk::Status through_qmp(const Guest& guest, const std::string& qdev, const Change& change, const Deadline& deadline,
                            Throttle& now) const;
    sdk::Status through_libvirt(const Guest& guest, const std::string& target, const Change& change,
                                const Deadline& deadline, Throttle& now) const;

    int proc_;
    const DomainFiles& files_;
    LibvirtWorker& libvirt_;
};

} // namespace penstock::kvm
