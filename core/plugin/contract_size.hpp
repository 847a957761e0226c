// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.h>

#include <cstddef>

namespace penstock {

// How large each struct was in contract 1.0. These never change: a plugin of 1.0 is accepted by every host of major 1,
// however much the structs have grown since.
template <class T>
inline constexpr std::size_t size_1_0 = 0;

#define PENSTOCK_SIZE_1_0(type, last)                                                                                  \
    template <>                                                                                                        \
    inline constexpr std::size_t size_1_0<type> = offsetof(type, last) + sizeof(type::last)
PENSTOCK_SIZE_1_0(penstock_probe, detail);
PENSTOCK_SIZE_1_0(penstock_instance, note);
PENSTOCK_SIZE_1_0(penstock_layer, rdev_minor);
PENSTOCK_SIZE_1_0(penstock_disk, note);
PENSTOCK_SIZE_1_0(penstock_actor, name);
PENSTOCK_SIZE_1_0(penstock_limits, group);
PENSTOCK_SIZE_1_0(penstock_limit_support, granularity);
PENSTOCK_SIZE_1_0(penstock_core_v1, enumerate_actors);
PENSTOCK_SIZE_1_0(penstock_native_limit_v1, clear);
PENSTOCK_SIZE_1_0(penstock_descriptor, extensions);
PENSTOCK_SIZE_1_0(penstock_plugin_entry, get_extension);
#undef PENSTOCK_SIZE_1_0

} // namespace penstock
