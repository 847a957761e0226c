// SPDX-License-Identifier: Apache-2.0
#include "plugin/catalog.hpp"

#include "base/text.hpp"
#include "plugin/trust.hpp"

#include <penstock/plugin.h>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

namespace penstock {
namespace {

constexpr std::string_view suffix = ".penstock.toml";
constexpr std::size_t manifest_cap = 65536;
constexpr std::size_t plugin_cap = 1000; // of one directory

Result<std::string> read_all(int fd, const std::string& path) {
    std::string text;
    std::array<char, 4096> part; // a buffer of the cap's size would cost more in page faults than the reading
    while (text.size() <= manifest_cap) {
        const auto n = ::read(fd, part.data(), part.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return Error::from_errno(errno, "reading " + printable(path));
        if (n == 0) return text;
        text.append(part.data(), static_cast<std::size_t>(n));
    }
    return Error{ErrorCode::invalid, printable(path) + " is larger than 64 KiB"};
}

Result<PluginManifest> read_manifest(const TrustedDirectory& directory, const std::string& name,
                                     const std::string& path) {
    const auto fd = directory.open_file(name);
    if (!fd) return fd.error();
    const auto text = read_all(fd->get(), path);
    if (!text) return text.error();
    return parse_manifest(*text, path);
}

std::optional<Error> check_contract(const PluginManifest& manifest) {
    if (manifest.abi_major == PENSTOCK_ABI_MAJOR && manifest.abi_min_minor <= PENSTOCK_ABI_MINOR) return std::nullopt;
    return Error{ErrorCode::unsupported,
                 fmt::format("plugin {} needs plugin contract {}.{}, this penstock has {}.{}", printable(manifest.id),
                             manifest.abi_major, manifest.abi_min_minor, PENSTOCK_ABI_MAJOR, PENSTOCK_ABI_MINOR)}
        .advise("install the plugin's release for this penstock");
}

PluginEntry entry_of(const TrustedDirectory& directory, const std::string& stem, PluginEntry entry) {
    const auto path = entry.library.substr(0, entry.library.size() - 3) + std::string{suffix};
    auto manifest = read_manifest(directory, stem + std::string{suffix}, path);
    if (!manifest) {
        entry.refused = std::move(manifest.error());
        return entry;
    }
    entry.manifest = *std::move(manifest);
    if (const auto library = directory.open_file(stem + ".so"); !library) {
        entry.refused = library.error();
        if (library.error().sys_errno() == ENOENT)
            entry.refused =
                Error{ErrorCode::not_found, printable(path) + " has no library " + printable(stem) + ".so beside it"}
                    .advise("install the library, or remove the manifest");
    } else
        entry.refused = check_contract(entry.manifest);
    return entry;
}

std::vector<std::string> stems_of(DIR& listing) {
    std::vector<std::string> stems;
    while (const auto* file = ::readdir(&listing)) {
        const std::string_view name = file->d_name;
        if (name.size() > suffix.size() && name.ends_with(suffix) && stems.size() < plugin_cap)
            stems.emplace_back(name.substr(0, name.size() - suffix.size()));
    }
    std::sort(stems.begin(), stems.end());
    return stems;
}

// What a directory that cannot be trusted holds is listed too, each refused: a plugin that is not used must be seen.
void find_in(const std::string& path, std::set<std::pair<dev_t, ino_t>>& known, std::vector<PluginEntry>& entries) {
    const auto directory = TrustedDirectory::open(path);
    const int fd = directory ? ::openat(directory->fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                             : ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        if (errno != ENOENT) // an installation without plugins is one
            entries.push_back(
                {{.id = printable(path)}, path, Error::from_errno(errno, "looking for plugins in " + printable(path))});
        return;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> listing{::fdopendir(fd), ::closedir};
    struct stat status {};
    if (!listing || ::fstat(fd, &status) != 0) return;
    // Named twice is searched once; but a path that is not trusted does not take the place of one that is.
    if (directory && !known.emplace(status.st_dev, status.st_ino).second) return;
    for (const auto& stem : stems_of(*listing)) {
        PluginEntry entry{
            {.id = printable(stem)}, path + "/" + stem + ".so", std::nullopt}; // until the manifest says better
        if (directory)
            entry = entry_of(*directory, stem, std::move(entry));
        else
            entry.refused = directory.error();
        entries.push_back(std::move(entry));
    }
}

// The id or kind that both claim; nothing where they can live together.
std::optional<std::string> shared_claim(const PluginManifest& a, const PluginManifest& b) {
    if (a.id == b.id) return "id " + printable(a.id);
    for (const auto& kind : a.kinds)
        if (std::find(b.kinds.begin(), b.kinds.end(), kind) != b.kinds.end()) return "kind " + kind;
    return std::nullopt;
}

// One that is refused anyhow takes no part: a file that is not trusted must not be able to keep a good plugin from its
// work.
void refuse_duplicates(std::vector<PluginEntry>& entries) {
    std::vector<PluginEntry*> usable;
    for (auto& entry : entries)
        if (!entry.refused) usable.push_back(&entry);
    for (auto* entry : usable)
        for (const auto* other : usable) {
            const auto claim = entry == other ? std::nullopt : shared_claim(entry->manifest, other->manifest);
            if (!claim || entry->refused) continue;
            entry->refused =
                Error{ErrorCode::conflict, fmt::format("{} and {} are both plugins with {}", printable(entry->library),
                                                       printable(other->library), *claim)}
                    .advise("remove one of them");
        }
}

} // namespace

std::vector<PluginEntry> find_plugins(const std::vector<std::string>& directories) {
    std::vector<PluginEntry> entries;
    std::set<std::pair<dev_t, ino_t>> known;
    for (const auto& directory : directories) find_in(directory, known, entries);
    refuse_duplicates(entries);
    return entries;
}

} // namespace penstock
