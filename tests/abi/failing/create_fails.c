/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_CREATE
#include <errno.h>
#include <penstock/plugin.h>
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error);
#include "skeleton.h"
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    UNUSED(index), UNUSED(host);
    *self = (void*)(uintptr_t)8; /* must not be used */
    return fail(error, PENSTOCK_E_DENIED, EACCES, "opening /dev/test\x1b[31m");
}
