// SPDX-License-Identifier: Apache-2.0
#include "plugin/library.hpp"

#include "base/text.hpp"
#include "plugin/sized.hpp"
#include "plugin/trust.hpp"

#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <vector>

namespace penstock {
namespace {

struct Kept {
    Fd file;
    boost::dll::shared_library library;
};

// Never destroyed: see the header.
std::vector<Kept>& keep() {
    static auto& kept = *new std::vector<Kept>;
    return kept;
}

} // namespace

Result<penstock_plugin_entry> load_entry(const std::string& path) {
    auto file = open_trusted(path);
    if (!file) return file.error();
    // What is loaded is the very file that was checked. Its descriptor stays open for good: the dynamic linker remembers
    // libraries by name, and a number that is used again would silently give the first library (measured).
    const auto name = "/proc/self/fd/" + std::to_string(file->get());
    keep().push_back({*std::move(file), {}});
    namespace dll = boost::dll;
    const penstock_plugin_entry* entry = nullptr;
    try {
        // The throwing overload: the other one drops dlerror's text, which names the missing library or symbol.
        auto& library = keep().back().library;
        library.load(name, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
        if (!library.has(PENSTOCK_ENTRY_SYMBOL))
            return Error{ErrorCode::malformed, fmt::format("{} is not a Penstock plugin: it does not export {}", printable(path), PENSTOCK_ENTRY_SYMBOL)};
        entry = &library.get<const penstock_plugin_entry>(PENSTOCK_ENTRY_SYMBOL);
    } catch (const std::exception& e) {
        std::string text = e.what();
        for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) text.replace(at, name.size(), path);
        return Error{ErrorCode::system, "loading " + printable(path) + ": " + printable(text)}.advise("install the library that is missing");
    }
    if (entry->magic != PENSTOCK_MAGIC)
        return Error{ErrorCode::malformed, fmt::format("{}: the entry's magic is {:#x}, not {:#x}", printable(path), entry->magic, PENSTOCK_MAGIC)};
    if (entry->abi_major != PENSTOCK_ABI_MAJOR)
        return Error{ErrorCode::unsupported, fmt::format("{} was built for plugin contract {}, this penstock has {}", printable(path), entry->abi_major, PENSTOCK_ABI_MAJOR)};
    penstock_plugin_entry own;
    if (!copy_sized(own, entry, sizeof(penstock_plugin_entry)))
        return Error{ErrorCode::malformed, fmt::format("{}: the entry's size is {}, at least {} is expected", printable(path), entry->struct_size, sizeof own)};
    if (own.describe == nullptr || own.create == nullptr || own.destroy == nullptr || own.get_extension == nullptr)
        return Error{ErrorCode::malformed, printable(path) + ": a function of the entry is NULL"};
    return own;
}

} // namespace penstock
