/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to say no. The id of the instance chooses. */
#define OWN_DISKS
#define OWN_PROBE
#include <penstock/plugin.h>
static int32_t do_probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                        penstock_error* error);
static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error);
#include "skeleton.h"

#include <errno.h>

static int is(penstock_str s, const char* word) { return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0; }

static int32_t do_probe(void* self, const penstock_call* call, void* ctx, penstock_emit_probe emit,
                        penstock_error* error) {
    penstock_probe record;
    UNUSED(self), UNUSED(call), UNUSED(error);
    memset(&record, 0, sizeof record);
    record.struct_size = 4;
    return emit(ctx, &record);
}

static int32_t do_disks(void* self, const penstock_call* call, const penstock_key* key, void* ctx,
                        penstock_emit_disk emit, penstock_error* error) {
    const penstock_disk record = a_disk("vda", "disk0");
    UNUSED(self), UNUSED(call);
    if (is(key->id, "gone")) return fail(error, PENSTOCK_E_GONE, ESRCH, "guest 1 has ended");
    if (is(key->id, "mute")) return PENSTOCK_E_TIMEOUT;
    if (is(key->id, "unknown")) return fail(error, -99, 0, "something new");
    if (is(key->id, "positive")) return fail(error, 42, 0, "never said stop");
    if (is(key->id, "bogus-errno")) return fail(error, PENSTOCK_E_DENIED, 99999, "asking");
    if (is(key->id, "busy")) {
        error->retry_after_ms = 250;
        return fail(error, PENSTOCK_E_BUSY, 0, "someone else talks to it");
    }
    if (is(key->id, "unterminated")) {
        memset(error->message, 'x', sizeof error->message);
        return PENSTOCK_E_CONFLICT;
    }
    emit(ctx, &record);
    return fail(error, PENSTOCK_E_PARTIAL, 0, "the second disk did not answer");
}
