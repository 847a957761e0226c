// SPDX-License-Identifier: Apache-2.0
#include "systemd_plugin.hpp"

PENSTOCK_PLUGIN(systemd::SystemdPlugin)
