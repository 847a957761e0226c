// SPDX-License-Identifier: Apache-2.0
#if defined(PENSTOCK_CATCH_NEEDS_MAIN)
#define CATCH_CONFIG_MAIN
#endif
#include "catch.hpp"
