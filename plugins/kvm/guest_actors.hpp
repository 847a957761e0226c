// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "guest.hpp"
#include "record.hpp"

#include <vector>

namespace penstock::kvm {

// The process as a whole, then its iothreads, vCPUs and vhost threads.
sdk::Status emit_actors(int proc, const Guest& guest, bool managed, const std::vector<Disk>& disks,
                        const Deadline& deadline, const sdk::Sink<penstock_actor>& sink);

} // namespace penstock::kvm
