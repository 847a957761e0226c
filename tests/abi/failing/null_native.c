/* SPDX-License-Identifier: Apache-2.0 */
/* Offers a limiter whose table is smaller than that of 1.0. */
#define OWN_EXTENSION
#include <penstock/plugin.h>
static const void* do_extension(uint32_t index, const char* id);
#include "skeleton.h"
static const penstock_native_limit_v1 native = {16, 0, NULL, NULL, NULL, NULL};
static const void* do_extension(uint32_t index, const char* id) {
    UNUSED(index);
    return strcmp(id, PENSTOCK_EXT_CORE) == 0 ? (const void*)&core : &native;
}
