// SPDX-License-Identifier: Apache-2.0
#include "plugin/library.hpp"

#include "base/text.hpp"
#include "plugin/sized.hpp"
#include "plugin/trust.hpp"

#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <mutex>
#include <vector>

namespace penstock {
namespace {

struct Kept {
    Fd file;
    boost::dll::shared_library library;
};

// For good: see the header. The dynamic linker remembers libraries by name, and a descriptor's number that is used
// again would silently give the first library (measured), so the descriptors stay open as well.
void keep(Kept kept) {
    static std::mutex mutex;
    static auto& all = *new std::vector<Kept>;
    const std::lock_guard lock{mutex};
    all.push_back(std::move(kept));
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

// Boost wraps dlerror's text into its own; what names the missing library or symbol is within.
Error load_error(std::string text, const std::string& name, const std::string& path) {
    constexpr std::string_view mark = "dlerror system message: ";
    if (const auto begin = text.find(mark); begin != std::string::npos) {
        text.erase(0, begin + mark.size());
        text.erase(std::min(text.rfind("): "), text.size()));
    }
    if (text.starts_with(name + ": ")) text.erase(0, name.size() + 2);
    replace_all(text, name, path);
    const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
    const auto* next = says("undefined symbol") || says("version `")
                           ? "install the releases of plugin and libraries that belong together"
                       : says("failed to map segment") ? "install it on a file system that is not mounted noexec"
                       : says("cannot open shared object file") ? "install the library that is missing"
                                                                : "install the plugin again";
    return Error{ErrorCode::system, "loading " + printable(path) + ": " + printable(text)}.advise(next);
}

Result<penstock_plugin_entry> checked(const penstock_plugin_entry& entry, const std::string& path) {
    const auto file = printable(path);
    if (entry.magic != PENSTOCK_MAGIC)
        return Error{ErrorCode::malformed,
                     fmt::format("{}: the entry's magic is {:#x}, not {:#x}", file, entry.magic, PENSTOCK_MAGIC)};
    if (entry.abi_major != PENSTOCK_ABI_MAJOR)
        return Error{ErrorCode::unsupported, fmt::format("{} was built for plugin contract {}, this penstock has {}",
                                                         file, entry.abi_major, PENSTOCK_ABI_MAJOR)}
            .advise("install the plugin's release for this penstock");
    penstock_plugin_entry own;
    if (!copy_sized(own, &entry))
        return Error{ErrorCode::malformed,
                     fmt::format("{}: the entry's size is {}, and must be from {} to {}", file, entry.struct_size,
                                 size_1_0<penstock_plugin_entry>, PENSTOCK_STRUCT_MAX)};
    const char* missing = own.describe == nullptr        ? "describe"
                          : own.create == nullptr        ? "create"
                          : own.destroy == nullptr       ? "destroy"
                          : own.get_extension == nullptr ? "get_extension"
                                                         : nullptr;
    if (missing != nullptr)
        return Error{ErrorCode::malformed, fmt::format("{}: function {} of the entry is NULL", file, missing)};
    return own;
}

} // namespace

Result<penstock_plugin_entry> load_entry(const std::string& path) {
    auto file = open_trusted(path);
    if (!file) return std::move(file.error());
    // What is loaded is the very file that was checked.
    const auto name = "/proc/self/fd/" + std::to_string(file->get());
    namespace dll = boost::dll;
    try {
        // The throwing overload: the other one drops dlerror's text.
        dll::shared_library library{name, dll::load_mode::rtld_now | dll::load_mode::rtld_local};
        const auto* entry = library.has(PENSTOCK_ENTRY_SYMBOL)
                                ? &library.get<const penstock_plugin_entry>(PENSTOCK_ENTRY_SYMBOL)
                                : nullptr;
        keep({*std::move(file), std::move(library)});
        if (entry == nullptr)
            return Error{ErrorCode::malformed, fmt::format("{} is not a Penstock plugin: it does not export {}",
                                                           printable(path), PENSTOCK_ENTRY_SYMBOL)};
        return checked(*entry, path);
    } catch (const std::exception& e) {
        return load_error(e.what(), name, path);
    }
}

} // namespace penstock
