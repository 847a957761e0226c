// SPDX-License-Identifier: Apache-2.0
#include "plugin/catalog.hpp"

#include "base/text.hpp"
#include "plugin/trust.hpp"

#include <penstock/plugin.h>

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

namespace penstock {
namespace {

constexpr std::string_view suffix = ".penstock.toml";
constexpr std::size_t manifest_cap = 65536;

Result<std::string> read_manifest(const std::string& path) {
    const auto fd = open_trusted(path);
    if (!fd) return fd.error();
    std::string text(manifest_cap + 1, '\0');
    const auto n = ::read(fd->get(), text.data(), text.size());
    if (n < 0) return Error::from_errno(errno, "reading " + path);
    if (static_cast<std::size_t>(n) > manifest_cap) return Error{ErrorCode::invalid, path + " is larger than 64 KiB"};
    text.resize(static_cast<std::size_t>(n));
    return text;
}

PluginEntry entry_of(const std::string& directory, const std::string& stem) {
    PluginEntry entry;
    entry.library = directory + "/" + stem + ".so";
    entry.manifest.id = stem; // until the manifest says better
    const auto path = directory + "/" + stem + std::string{suffix};
    const auto text = read_manifest(path);
    if (!text) {
        entry.refused = text.error();
        return entry;
    }
    auto manifest = parse_manifest(*text, path);
    if (!manifest) {
        entry.refused = manifest.error();
        return entry;
    }
    entry.manifest = *std::move(manifest);
    if (entry.manifest.abi_major != PENSTOCK_ABI_MAJOR || entry.manifest.abi_min_minor > PENSTOCK_ABI_MINOR)
        entry.refused = Error{ErrorCode::unsupported, fmt::format("it needs plugin contract {}.{}, this penstock has {}.{}", entry.manifest.abi_major,
                                                                  entry.manifest.abi_min_minor, PENSTOCK_ABI_MAJOR, PENSTOCK_ABI_MINOR)}
                            .advise("install the plugin's release for this penstock");
    return entry;
}

bool share_kind(const PluginManifest& a, const PluginManifest& b) {
    return std::any_of(a.kinds.begin(), a.kinds.end(), [&](const auto& kind) { return std::find(b.kinds.begin(), b.kinds.end(), kind) != b.kinds.end(); });
}

void refuse_duplicates(std::vector<PluginEntry>& entries) {
    for (auto& entry : entries)
        for (const auto& other : entries) {
            if (&entry == &other || (entry.manifest.id != other.manifest.id && !share_kind(entry.manifest, other.manifest))) continue;
            const bool same_id = entry.manifest.id == other.manifest.id;
            entry.refused = Error{ErrorCode::conflict, fmt::format("{} and {} are both plugins {}", printable(entry.library), printable(other.library),
                                                                   same_id ? "with id " + printable(entry.manifest.id) : "for kind " + entry.manifest.kinds.front())}
                                .advise("remove one of them");
        }
}

} // namespace

std::vector<PluginEntry> find_plugins(const std::vector<std::string>& directories) {
    std::vector<PluginEntry> entries;
    for (const auto& directory : directories) {
        std::vector<std::string> stems;
        const std::unique_ptr<DIR, int (*)(DIR*)> listing{::opendir(directory.c_str()), ::closedir};
        while (listing) {
            const auto* file = ::readdir(listing.get());
            if (file == nullptr) break;
            const std::string name = file->d_name;
            if (name.size() > suffix.size() && name.ends_with(suffix)) stems.push_back(name.substr(0, name.size() - suffix.size()));
        }
        std::sort(stems.begin(), stems.end());
        for (const auto& stem : stems) entries.push_back(entry_of(directory, stem));
    }
    refuse_duplicates(entries);
    return entries;
}

} // namespace penstock
