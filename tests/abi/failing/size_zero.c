/* SPDX-License-Identifier: Apache-2.0 */
#define ENTRY_SIZE 0
#include "skeleton.h"
