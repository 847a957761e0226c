/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_DESCRIBE
#define ENTRY_DESCRIBE no_description
#include <penstock/plugin.h>
#include <stddef.h>
static const penstock_descriptor* no_description(uint32_t index) {
    (void)index;
    return NULL;
}
#include "skeleton.h"
