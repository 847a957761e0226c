/* SPDX-License-Identifier: Apache-2.0 */
/* Offers no extension at all, also not the mandatory one. */
#define OWN_EXTENSION
#include <penstock/plugin.h>
#include <stddef.h>
static const void* do_extension(uint32_t index, const char* id) {
    (void)index, (void)id;
    return NULL;
}
#include "skeleton.h"
