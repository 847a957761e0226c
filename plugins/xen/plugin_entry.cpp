// SPDX-License-Identifier: Apache-2.0
#include "xen_plugin.hpp"

PENSTOCK_PLUGIN(penstock::xen::XenPlugin)
