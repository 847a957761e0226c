// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json.hpp"
#include "record.hpp"
#include "throttle.hpp"

#include <optional>
#include <vector>

namespace penstock::kvm {

// The disks of query-block's answer, with layers from its images and the nodes of query-named-block-nodes. Their
// native_id is the qdev that block_set_io_throttle takes. Drives that no device uses are left out.
std::vector<Disk> disks_of_query(const boost::json::value& blocks, const boost::json::value& nodes);

// What query-block says of one device; nothing: no such device.
struct BlockState {
    bool empty = false; // no medium
    Throttle throttle;
    std::string own_group; // the name of the group that is the disk's alone
};
std::optional<BlockState> find_block(const boost::json::value& blocks, std::string_view qdev);

// The arguments of block_set_io_throttle: all of them, as it resets what is left out.
boost::json::object throttle_arguments(std::string_view qdev, const Throttle& throttle, std::string_view own_group);

} // namespace penstock::kvm
