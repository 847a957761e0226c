/* SPDX-License-Identifier: Apache-2.0 */
/* One record that is right, between some that are not. */
#define OWN_INSTANCES
#define OWN_ACTORS
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
static int32_t do_actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_actor emit, penstock_error* error);
#include "skeleton.h"
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    penstock_instance record = an_instance("id-1", "one");
    UNUSED(self), UNUSED(call), UNUSED(error);
    emit(ctx, NULL);
    record.struct_size = 8;
    emit(ctx, &record);
    record.struct_size = PENSTOCK_STRUCT_MAX + 1;
    emit(ctx, &record);
    record = an_instance("id-2", "of a kind that is not ours");
    record.key.kind = text("kvm");
    emit(ctx, &record);
    record = an_instance("id-3", "null");
    record.note.p = NULL;
    record.note.n = 5;
    emit(ctx, &record);
    record = an_instance("id-1", "one");
    return emit(ctx, &record);
}
static int32_t do_actors(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                         penstock_emit_actor emit, penstock_error* error) {
    const int32_t pids[] = {-1, 0, 5000000, 42};
    size_t i;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    for (i = 0; i < sizeof pids / sizeof *pids; ++i) {
        penstock_actor record;
        memset(&record, 0, sizeof record);
        record.struct_size = sizeof record;
        record.role = 4711;
        record.pid = pids[i];
        record.tid = pids[i];
        emit(ctx, &record);
    }
    return 0;
}
