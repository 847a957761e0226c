// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace penstock::kvm {

// A short look at one of many files: one read of `path` below `directory` into `buffer`, nothing allocated. Empty where
// it cannot be read. Follows no symbolic link in the last component.
std::string_view peek_file(int directory, const char* path, std::span<char> buffer);

} // namespace penstock::kvm
