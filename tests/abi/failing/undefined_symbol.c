/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_CREATE
#include <penstock/plugin.h>
int32_t penstock_test_symbol_that_nobody_has(void);
static int32_t do_create(uint32_t index, const penstock_host* host, void** self, penstock_error* error) {
    (void)index, (void)host, (void)self, (void)error;
    return penstock_test_symbol_that_nobody_has();
}
#include "skeleton.h"
