// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <penstock/plugin.h>

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

// What a library says of itself.
struct Description {
    std::string id, version;
    std::vector<std::string> kinds; // sorted
    std::uint32_t thread_model = PENSTOCK_THREADS_SERIAL;
};

// The functions of a loaded library, in our own version of the structs.
struct PluginTables {
    Description description;
    penstock_plugin_entry entry{};
    penstock_core_v1 core{};
    penstock_native_limit_v1 native{}; // struct_size 0: not offered
};

// Loads a library that can be trusted, lets it describe itself, and checks that its tables are whole. For good: see
// load_entry().
Result<PluginTables> read_tables(const std::string& library);

} // namespace penstock
