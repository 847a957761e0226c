/* SPDX-License-Identifier: Apache-2.0 */
#define ENTRY_SIZE (PENSTOCK_STRUCT_MAX + 1)
#include "skeleton.h"
