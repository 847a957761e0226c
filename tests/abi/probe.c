/* SPDX-License-Identifier: Apache-2.0 */
/* Uses every struct of the contract, so that the debugging information of this library describes all of them. */
#include <penstock/plugin.h>

PENSTOCK_EXPORT void penstock_abi_probe(penstock_plugin_entry* entry, penstock_descriptor* descriptor,
                                        penstock_host* host, penstock_core_v1* core, penstock_native_limit_v1* native);
void penstock_abi_probe(penstock_plugin_entry* entry, penstock_descriptor* descriptor, penstock_host* host,
                        penstock_core_v1* core, penstock_native_limit_v1* native) {
    (void)entry, (void)descriptor, (void)host, (void)core, (void)native;
}
