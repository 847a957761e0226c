/* SPDX-License-Identifier: Apache-2.0 */
/* Each object leaves a descriptor and a thread behind. */
#define OWN_CREATE
#include <fcntl.h>
#include <penstock/plugin.h>
#include <pthread.h>
#include <unistd.h>
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error);
#include "skeleton.h"
static void* wait_for_ever(void* unused) {
    UNUSED(unused);
    while (1) pause();
    return NULL;
}
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    pthread_t thread;
    UNUSED(index), UNUSED(host), UNUSED(error);
    *self = (void*)(uintptr_t)&core;
    if (open("/dev/null", O_RDONLY) < 0) return fail(error, PENSTOCK_E_INTERNAL, 0, "opening /dev/null");
    return pthread_create(&thread, NULL, wait_for_ever, NULL) == 0
               ? 0
               : fail(error, PENSTOCK_E_INTERNAL, 0, "making a thread");
}
