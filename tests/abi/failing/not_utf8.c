/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_INSTANCES
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
#include "skeleton.h"
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    penstock_instance record = an_instance("id-1", "");
    const penstock_str name = STR("a\xff\0b\x1b[31m");
    UNUSED(self), UNUSED(call), UNUSED(error);
    record.name = name;
    return emit(ctx, &record);
}
