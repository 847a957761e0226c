// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "libvirt_library.hpp"
#include "throttle.hpp"

#include <functional>
#include <string>

namespace penstock::kvm {

// A disk of a libvirt domain.
struct TunedDisk {
    std::string uuid;
    std::string target;
    std::string alias; // of the device: the group that is the disk's own is called after it
};

using Change = std::function<sdk::Status(Throttle&)>; // empty: only read

// Reads the whole setting, changes it and writes it back, as libvirt resets what is left out; `now` is what is in force
// afterwards, read back.
sdk::Status tune_domain(const LibvirtLibrary& library, virConnectPtr connection, const TunedDisk& disk,
                        const Change& change, Throttle& now);

sdk::Status domain_xml(const LibvirtLibrary& library, virConnectPtr connection, const std::string& uuid,
                       std::string& xml);

} // namespace penstock::kvm
