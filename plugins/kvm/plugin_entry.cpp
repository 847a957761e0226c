// SPDX-License-Identifier: Apache-2.0
#include "kvm_plugin.hpp"

PENSTOCK_PLUGIN(penstock::kvm::KvmPlugin)
