// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace penstock::xen {

// A domain other than dom0.
struct Domain {
    std::uint32_t domid = 0; // another one after each reboot, restore and migration
    std::string id;          // the uuid; "name:NAME" where there is none
    std::string name;        // as its owner wrote it: hostile
    std::string start;       // when it was made, as the toolstack wrote it
    std::string note;

    // Told from an earlier domain of the same domid by when it was made.
    std::string incarnation() const {
        return start.empty() ? std::to_string(domid) : std::to_string(domid) + "-" + start;
    }
};

// A domain whose backends serve disks to others, and the kinds of them.
struct BackendDomain {
    std::uint32_t domid = 0;
    std::vector<std::string> kinds; // of disk_kinds
};

// All that is asked once for each round.
struct Host {
    std::string manager; // "libxl", "xapi"; empty: neither has left a trace
    std::vector<Domain> domains;
    std::vector<BackendDomain> backends; // dom0 first
    bool complete = true;                // false: there are more than are listed
};

sdk::Status read_host(Store& store, const sdk::Call& call, Host& host);

} // namespace penstock::xen
