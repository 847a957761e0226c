// SPDX-License-Identifier: Apache-2.0
#include "lxc_plugin.hpp"

PENSTOCK_PLUGIN(penstock::lxc::LxcPlugin)
