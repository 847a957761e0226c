/* SPDX-License-Identifier: Apache-2.0 */
/* A million records, and deaf to "stop". */
#define OWN_INSTANCES
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
#include "skeleton.h"
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    int32_t stop = 0;
    uint32_t i;
    UNUSED(self), UNUSED(call), UNUSED(error);
    for (i = 0; i < 1000000; ++i) {
        char id[16];
        penstock_instance record;
        snprintf(id, sizeof id, "%u", (unsigned)i);
        record = an_instance(id, id);
        stop = emit(ctx, &record);
    }
    return stop;
}
