// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace penstock::xen {

// A file or block device that a process of the host has open.
struct OpenImage {
    std::string path;
    bool writable = false;
    bool direct = false;       // O_DIRECT: past the page cache
    bool block_device = false; // `rdev` holds its number
    std::pair<unsigned, unsigned> rdev{};
};

// Those of `pid`, below an open /proc; nothing where it cannot be looked into.
std::vector<OpenImage> open_images(int proc, int pid);

} // namespace penstock::xen
