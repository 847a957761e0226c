// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"
#include "record.hpp"

#include <string>
#include <vector>

namespace penstock::kvm {

// The disks that a command line describes: what QEMU was started with, not what was attached since. They have no
// native_id.
std::vector<Disk> disks_of_command(const CommandLine& command);

// The layers of one node of -blockdev, or of the -drive with this id.
std::vector<sdk::OwnedLayer> layers_of_node(const CommandLine& command, std::string_view name);

// Devices that hold a disk but no QEMU block node: vhost-user-blk and the like.
bool is_foreign_disk(std::string_view driver);

} // namespace penstock::kvm
