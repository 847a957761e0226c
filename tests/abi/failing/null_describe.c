/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_DESCRIBE
#define ENTRY_DESCRIBE NULL
#include "skeleton.h"
