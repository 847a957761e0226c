// SPDX-License-Identifier: Apache-2.0
#include "resolve/cgroup_name.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace penstock {
namespace {

// FNV-1a: told apart, not protected; two ids of one hash would still have to share 150 leading characters.
std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 14695981039346656037ULL;
    for (const unsigned char c : text) value = (value ^ c) * 1099511628211ULL;
    return value;
}

} // namespace

std::string safe_name(const InstanceKey& key) {
    std::string id;
    for (const unsigned char c : key.id) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                           c == '-' || c == '.';
        id += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
    }
    constexpr std::size_t longest = 150; // a file name has 255 bytes, and the state file adds to it
    if (id.size() > longest) id = fmt::format("{}-{:016x}", id.substr(0, longest), hash(key.id));
    return key.kind + "-" + id;
}

std::string cgroup_for(const InstanceKey& key) { return std::string{own_cgroup} + "/" + safe_name(key); }

bool is_own_cgroup(std::string_view path) {
    return path.starts_with(own_cgroup) && path.size() > own_cgroup.size() && path[own_cgroup.size()] == '/';
}

} // namespace penstock
