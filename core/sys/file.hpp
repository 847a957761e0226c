// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// A kernel file longer than this is refused rather than read: nothing that we read comes near it.
inline constexpr std::size_t file_size_cap = 16U << 20;

// An O_PATH descriptor of a directory: the handle that all further access goes through.
Result<Fd> open_directory(const std::string& path);

// The whole file `path`, relative to `directory` (or AT_FDCWD). `display` names it in errors.
Result<std::string> read_at(int directory, const std::string& path, const std::string& display);
Result<std::string> read_file(const std::string& path);
// The same without its trailing newline.
Result<std::string> read_line(const std::string& path);

// What is in a directory, sorted, without names that begin with a dot; empty where it cannot be read.
std::vector<std::string> entry_names(const std::string& directory);

// One write(2) of the whole text to an existing file, as kernel control files want it. Follows no symbolic link.
Result<void> write_at(int directory, const std::string& path, std::string_view text, const std::string& display);

// Replaces a file whole or not at all: temporary file, fsync, rename, fsync of the directory. Mode 0600.
Result<void> replace_file(const std::string& path, std::string_view text);

// Makes the directory and its parents, mode 0700; one that exists is fine.
Result<void> make_directories(const std::string& path);

} // namespace penstock
