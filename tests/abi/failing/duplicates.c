/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_INSTANCES
#define OWN_DISKS
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    const penstock_instance first = an_instance("same", "first"), second = an_instance("same", "second");
    UNUSED(self), UNUSED(call), UNUSED(error);
    emit(ctx, &first);
    return emit(ctx, &second);
}
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    const penstock_disk first = a_disk("vda", "disk0"), second = a_disk("vda", "disk1");
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    emit(ctx, &first);
    return emit(ctx, &second);
}
