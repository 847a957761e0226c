// SPDX-License-Identifier: Apache-2.0
// Lets exceptions out, which the contract forbids: a std::exception, and something that is none.
#define OWN_PROBE
#define OWN_INSTANCES
#include <penstock/plugin.h>
#include <stdexcept>
static int32_t do_probe(void*, const penstock_call*, void*, penstock_emit_probe, penstock_error*) {
    throw std::runtime_error("probe is out of order");
}
static int32_t do_instances(void*, const penstock_call*, void*, penstock_emit_instance, penstock_error*) { throw 42; }
#include "skeleton.h"
