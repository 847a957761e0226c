// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <penstock/plugin.h>

#include <string>

namespace penstock {

// Loads a library that can be trusted and returns its entry, copied into a struct of our own version.
// A library is never unloaded: g++ keeps a library with an inline static mapped and its state alive, and glibc finds
// libraries again by name, so that unloading only seems to work.
Result<penstock_plugin_entry> load_entry(const std::string& path);

} // namespace penstock
