// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"
#include "record.hpp"

#include <string>
#include <string_view>

namespace penstock::kvm {

// QEMU's block drivers: filters pass I/O on, protocols end a chain; all others are image formats.
bool is_filter(std::string_view driver);
bool is_protocol(std::string_view driver);

// A URI that may be shown: without user, password, query and the key=value tail of rbd.
std::string public_uri(std::string_view uri);

// Fills kind, path or uri of a layer from a protocol driver and the file name that QEMU shows for it: "/dev/sda",
// "nbd://host:10809/x", "json:{...}". An empty driver: told from the name.
void set_source(sdk::OwnedLayer& layer, std::string_view driver, std::string_view filename);

// The same from QEMU's options of a protocol node; keys begin with `prefix` ("file.").
void set_source(sdk::OwnedLayer& layer, const Options& options, const std::string& prefix);

// How a layer was opened, by its protocol node.
void set_direct(sdk::OwnedLayer& layer, bool direct);

} // namespace penstock::kvm
