/* SPDX-License-Identifier: Apache-2.0 */
/* Takes no notice of its deadline. */
#define OWN_INSTANCES
#include <penstock/plugin.h>
static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error);
#include "skeleton.h"

#include <time.h>

static int32_t do_instances(void* self, const penstock_call* call, void* ctx, penstock_emit_instance emit,
                            penstock_error* error) {
    const penstock_instance record = an_instance("id-1", "one");
    const struct timespec pause = {0, 200000000};
    UNUSED(self), UNUSED(call), UNUSED(error);
    nanosleep(&pause, NULL);
    return emit(ctx, &record);
}
