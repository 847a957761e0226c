// SPDX-License-Identifier: Apache-2.0
#include <penstock/plugin.h>

int main(void) { return (int)sizeof(penstock_plugin_entry) == 0; }
