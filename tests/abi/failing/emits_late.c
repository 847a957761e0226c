/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the sink of enumerate_instances and emits into it when that call has returned: in later calls, and from a
 * thread that each enumerate_disks leaves behind. */
#define OWN_INSTANCES
#define OWN_DISKS
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"

#include <pthread.h>
#include <time.h>

static void* kept_ctx;
static penstock_emit_instance kept_emit;

/* ctx is passed, not read from kept_ctx: that is soon the sink of a call that has not returned. */
static void* later(void* ctx) {
    const struct timespec pause = {0, 1000000};
    const penstock_instance late = an_instance("late", "late");
    const penstock_emit_instance emit = kept_emit;
    int i;
    for (i = 0; i < 50; ++i) {
        nanosleep(&pause, NULL);
        emit(ctx, &late);
    }
    return NULL;
}

static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    const penstock_instance record = an_instance("id-1", "one"), late = an_instance("late", "late");
    UNUSED(self), UNUSED(call), UNUSED(error);
    if (kept_emit != NULL && kept_emit(kept_ctx, &late) == 0) return PENSTOCK_E_INTERNAL;
    kept_ctx = ctx;
    kept_emit = emit;
    return emit(ctx, &record);
}

static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    const penstock_disk record = a_disk("vda", "disk0");
    const penstock_instance late = an_instance("late", "late");
    pthread_t thread;
    UNUSED(self), UNUSED(call), UNUSED(key), UNUSED(error);
    if (kept_emit != NULL) {
        if (kept_emit(kept_ctx, &late) == 0) return PENSTOCK_E_INTERNAL;
        if (kept_emit(ctx, &late) == 0) return PENSTOCK_E_INTERNAL; /* the sink of other records */
        if (pthread_create(&thread, NULL, later, kept_ctx) == 0) pthread_detach(thread);
    }
    return emit(ctx, &record);
}
