// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain_status.hpp"
#include "guest.hpp"

#include <penstock/file.hpp>

#include <optional>
#include <string>

namespace penstock::kvm {

// libvirt's own record of its running domains: <run_root>/libvirt/qemu/NAME.xml and NAME.pid, written by root. Only
// what they say makes a process a libvirt guest, as a command line is its owner's choice. They are there without a
// daemon too.
class DomainFiles {
public:
    explicit DomainFiles(const std::string& run_root);

    // Nothing: not a guest of the system's libvirt. UNKNOWN state: it is one, but its status file cannot be used.
    std::optional<DomainHead> head(const Guest& guest) const;
    // The whole status file of a guest.
    std::optional<std::string> status(const Guest& guest) const;

    // A daemon that may be asked: libvirtd or virtqemud.
    bool has_socket() const;

private:
    std::optional<std::string> file_of(const Guest& guest) const;

    sdk::Fd directory_;
    std::string libvirt_;
};

} // namespace penstock::kvm
