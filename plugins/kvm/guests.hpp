// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "guest.hpp"

#include <functional>
#include <vector>

namespace penstock::kvm {

// All QEMU processes below a /proc descriptor, by pid. `go_on` is asked now and then; false stops the scan.
std::vector<Guest> find_guests(int proc, const std::function<bool()>& go_on);

} // namespace penstock::kvm
