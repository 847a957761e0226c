// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/process.hpp>

#include <cstdint>
#include <optional>

namespace penstock::xen {

// The QEMU of a domain, where process `pid` is one: a pid in xenstore may have ended and been given to another process.
std::optional<sdk::ProcessStat> find_device_model(int proc, int pid, std::uint32_t domid);

// A tapdisk, where process `pid` is one.
std::optional<sdk::ProcessStat> find_tapdisk(int proc, int pid);

} // namespace penstock::xen
