/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is no plugin. */
int penstock_some_other_symbol(void);
int penstock_some_other_symbol(void) { return 1; }
