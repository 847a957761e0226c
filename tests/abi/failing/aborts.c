/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion of its own ends the process. */
#define OWN_DISKS
#include <penstock/plugin.h>
#include <stdlib.h>
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(ctx), UNUSED(emit), UNUSED(error);
    abort();
}
