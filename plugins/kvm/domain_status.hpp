// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"
#include "record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::kvm {

// The first element of libvirt's status file: enough to know whose it is, without parsing the rest.
struct DomainHead {
    int pid = 0;
    std::uint32_t state = PENSTOCK_STATE_UNKNOWN;
};
std::optional<DomainHead> parse_domain_head(std::string_view beginning);

// A running domain, from libvirt's status file (<domstatus>) or virDomainGetXMLDesc (<domain>).
struct Domain {
    int pid = 0; // 0: the text does not say
    std::string name, uuid;
    std::vector<Disk> disks; // native_id is libvirt's target
};
std::optional<Domain> parse_domain(std::string_view text, const CommandLine& command);

} // namespace penstock::kvm
