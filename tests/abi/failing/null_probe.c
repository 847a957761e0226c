/* SPDX-License-Identifier: Apache-2.0 */
#define OWN_CORE
#define OWN_PROBE
#include <penstock/plugin.h>
static const penstock_core_v1 core;
#include "skeleton.h"
static const penstock_core_v1 core = {sizeof core, 0, NULL, do_instances, do_disks, do_actors};
