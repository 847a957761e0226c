// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fd.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace penstock::kvm {

// At most `cap` bytes of the file `path` below `directory`; nothing where it cannot be read. Follows no symbolic link
// in the last component.
std::optional<std::string> read_file(int directory, const char* path, std::size_t cap);

// The same for a short look at many files: one read into `buffer`, nothing allocated. Empty where it cannot be read.
std::string_view peek_file(int directory, const char* path, std::span<char> buffer);

// Where a symbolic link points to.
std::optional<std::string> read_link(int directory, const char* path);

Fd open_directory(int directory, const char* path);

// The names in a directory, unsorted; `each` returns false to stop.
void for_each_entry(int directory, const std::function<bool(const char* name)>& each);

} // namespace penstock::kvm
