// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace penstock::kvm {

// The id that a user gave to a device, from query-block's qdev: "vda" of /machine/peripheral/vda/virtio-backend, of a
// bare "vda" too. Empty: none was given.
std::string_view device_id(std::string_view qdev);

// What people call a disk: the device's id, else the drive's, else the node's name.
std::string target_name(std::string_view device_id, std::string_view drive, std::string_view node);

// The iothreads that serve a device: its own, or those of the controller that it is attached to.
std::vector<std::string> iothreads_of(const CommandLine& command, const Options& device);

} // namespace penstock::kvm
