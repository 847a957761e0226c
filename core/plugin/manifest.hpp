// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// What stands beside a plugin's library, in NAME.penstock.toml, so that plugins can be listed without running their
// code:
//
//     id = "org.penstock.kvm"        # reverse-DNS, the same as in the library's descriptor
//     name = "KVM/QEMU"
//     version = "0.1.0"
//     kinds = ["kvm"]                # kinds of instance that it reports
//     abi = { major = 1, min_minor = 0 }
//     needs = ["root"]               # network, fork, root, device-nodes
struct PluginManifest {
    std::string id, name, version;
    std::vector<std::string> kinds;
    unsigned abi_major = 0;
    unsigned abi_min_minor = 0;
    std::vector<std::string> needs;
};

// Strict: an unknown key, a missing one or a wrong type is INVALID with file, line and column.
Result<PluginManifest> parse_manifest(std::string_view text, std::string_view file_name);

} // namespace penstock
