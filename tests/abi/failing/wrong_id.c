/* SPDX-License-Identifier: Apache-2.0 */
#undef PLUGIN_ID
#define PLUGIN_ID "org.penstock.somebody-else"
#include "skeleton.h"
