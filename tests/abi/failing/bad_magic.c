/* SPDX-License-Identifier: Apache-2.0 */
#define ENTRY_MAGIC 0x46454544u
#include "skeleton.h"
