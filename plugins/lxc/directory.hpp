// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/file.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace penstock::lxc {

inline constexpr std::size_t file_cap = 4 * 1024 * 1024;

// An open directory, and the small files read beneath it. A process directory that stays open is that process for good:
// once it has ended every read fails, so a recycled pid is never mistaken for it.
class Directory {
public:
    Directory() = default;
    explicit Directory(const std::string& path);

    explicit operator bool() const noexcept { return static_cast<bool>(fd_); }
    int fd() const noexcept { return fd_.get(); }

    Directory open(const std::string& path) const;
    // What lies within the directory alone, as the kernel resolves it: no symbolic link is followed out of it or at
    // all.
    Directory open_beneath(std::string_view path) const;

    // At most `cap` bytes; nothing when the file cannot be read.
    std::optional<std::string> read(const char* path, std::size_t cap = file_cap) const;
    // For a /proc file that the kernel writes in one piece: saves the read that would only say "end".
    std::optional<std::string> read_piece(const char* path) const;
    std::optional<std::string> link(const char* path) const;
    std::optional<uid_t> owner(const char* path) const;

    struct Entry {
        std::string name;
        unsigned char type; // DT_*
    };
    std::vector<Entry> entries(std::size_t cap) const;

private:
    explicit Directory(sdk::Fd fd) noexcept : fd_{std::move(fd)} {}
    sdk::Fd fd_;
};

} // namespace penstock::lxc
