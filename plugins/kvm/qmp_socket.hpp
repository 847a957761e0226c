// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "guest.hpp"
#include "guest_path.hpp"

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>

#include <string>

namespace penstock::kvm {

// Connects to a unix socket as the QEMU process sees its path, and makes sure that this QEMU, or what started it, is at
// the other end: the path comes from a command line and may name any socket of the host.
sdk::Status connect_qmp(int proc, const Guest& guest, const GuestPaths& paths, const std::string& path, sdk::Fd& out);

} // namespace penstock::kvm
