/* SPDX-License-Identifier: Apache-2.0 */
#define PLUGIN_KIND "beside"
#include "skeleton.h"
