/* SPDX-License-Identifier: Apache-2.0 */
/* It closes what it could print to, and prints a lot before. */
#define OWN_DISKS
#include <penstock/plugin.h>
#include <unistd.h>
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    const penstock_disk record = a_disk("vda", "disk0");
    int i;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    for (i = 0; i < 100000; ++i) fprintf(stderr, "line %d of what nobody wants to read\n", i);
    fclose(stderr);
    close(STDOUT_FILENO);
    return emit(ctx, &record);
}
