/* SPDX-License-Identifier: Apache-2.0 */
#define PLUGIN_KIND "another"
#include "skeleton.h"
