// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "libvirt_library.hpp"

#include <penstock/plugin.hpp>

#include <string>

namespace penstock::kvm {

// libvirt's last error in this thread as a status: `what` was being done.
sdk::Status libvirt_error(const LibvirtLibrary& library, const std::string& what);

} // namespace penstock::kvm
