// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "sys/roots.hpp"

#include <string>

namespace penstock {

// Tells systemd, over D-Bus, that a unit needs the io controller (IOAccounting=yes, until the next reboot), so that it
// turns the controller on for the unit and leaves it on. The anchor unit, which nobody else has, is started for it.
// systemd leaves what is written to io.max alone where the unit has no I/O limit of its own (measured, systemd 252).
Result<void> keep_io_controller(const Roots& roots, const std::string& unit);

} // namespace penstock
