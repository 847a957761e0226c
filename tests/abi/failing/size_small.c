/* SPDX-License-Identifier: Apache-2.0 */
#define ENTRY_SIZE (sizeof(penstock_plugin_entry) - 8)
#include "skeleton.h"
