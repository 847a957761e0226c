// SPDX-License-Identifier: Apache-2.0
#include "mine.hpp"

PENSTOCK_PLUGIN(mine::Mine)
