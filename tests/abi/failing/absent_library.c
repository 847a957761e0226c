/* SPDX-License-Identifier: Apache-2.0 */
/* What missing_library.c is linked with, and what is not there when it is loaded. */
#include <stdint.h>
int32_t penstock_test_absent(void);
__attribute__((visibility("default"))) int32_t penstock_test_absent(void) { return 0; }
