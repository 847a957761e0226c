/* SPDX-License-Identifier: Apache-2.0 */
#define ENTRY_MAJOR 2u
#include "skeleton.h"
