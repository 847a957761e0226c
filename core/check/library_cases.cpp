// SPDX-License-Identifier: Apache-2.0
// What is true of the library before anything of it has run, and of the static data in it.
#include "base/text.hpp"
#include "check/subject.hpp"
#include "plugin/contract_size.hpp"
#include "plugin/manifest.hpp"
#include "sys/file.hpp"

#include <boost/dll/library_info.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace penstock::check {
namespace {

bool clean(penstock_str text) { return text.n != 0 && text.p != nullptr && printable(view(text)) == view(text); }

bool reverse_dns(std::string_view id) {
    return id.find('.') != std::string_view::npos && !id.starts_with('.') && !id.ends_with('.') &&
           std::all_of(id.begin(), id.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'; });
}

void one_symbol(Subject& subject, Verdict& verdict) {
    try {
        boost::dll::library_info info{subject.path()};
        const auto symbols = info.symbols();
        verdict.expect(std::find(symbols.begin(), symbols.end(), PENSTOCK_ENTRY_SYMBOL) != symbols.end(),
                       std::string{PENSTOCK_ENTRY_SYMBOL} + " is not exported");
        for (const auto& symbol : symbols)
            verdict.expect(symbol == PENSTOCK_ENTRY_SYMBOL,
                           symbol + " is exported: link with penstock-plugin.map and -fvisibility=hidden");
    } catch (const std::exception& e) {
        verdict.expect(false, std::string{"it cannot be read as a library: "} + e.what());
    }
}

void entry(Subject& subject, Verdict& verdict) {
    if (!verdict.expect(subject.problem().empty(), subject.problem())) return;
    const auto* found = subject.entry(verdict);
    verdict.expect(found->flags == 0, fmt::format("flags of the entry are {:#x}, not 0", found->flags));
    verdict.expect(found->plugin_count == 1, fmt::format("plugin_count is {}, not 1", found->plugin_count));
    verdict.expect(clean(found->sdk_version), "sdk_version of the entry is empty, or no clean UTF-8");
}

void descriptor(Subject& subject, Verdict& verdict) {
    const auto* its_entry = subject.entry(verdict);
    if (its_entry == nullptr) return;
    const auto* found = its_entry->describe(0);
    if (!verdict.expect(found != nullptr, "describe(0) gives NULL")) return;
    if (!verdict.expect(found->struct_size >= size_1_0<penstock_descriptor> &&
                            found->struct_size <= PENSTOCK_STRUCT_MAX,
                        fmt::format("struct_size of the descriptor is {}", found->struct_size)))
        return;
    verdict.expect(
        clean(found->id) && reverse_dns(view(found->id)),
        fmt::format("id '{}' is not a reversed domain name of a-z, 0-9, '.' and '-'", printable(view(found->id))));
    verdict.expect(clean(found->name), "name is empty, or no clean UTF-8");
    verdict.expect(clean(found->vendor), "vendor is empty, or no clean UTF-8");
    verdict.expect(clean(found->version), "version is empty, or no clean UTF-8");
    verdict.expect(found->thread_model <= PENSTOCK_THREADS_PARALLEL,
                   fmt::format("thread_model is {}", found->thread_model));
    constexpr auto needs =
        PENSTOCK_NEEDS_NETWORK | PENSTOCK_NEEDS_FORK | PENSTOCK_NEEDS_ROOT | PENSTOCK_NEEDS_DEVICE_NODES;
    verdict.expect((found->needs & ~needs) == 0,
                   fmt::format("needs has bits that are not known: {:#x}", found->needs & ~needs));
    if (verdict.expect(found->kind_count > 0 && found->kinds != nullptr, "it names no kind of instance"))
        for (std::uint32_t i = 0; i < found->kind_count; ++i)
            verdict.expect(clean(found->kinds[i]), "a kind is empty, or no clean UTF-8");
    verdict.expect(its_entry->describe(1) == nullptr, "describe(1) gives something, and there is one plugin");
}

// The announced extensions are there, whole, and no others.
void extensions(Subject& subject, Verdict& verdict) {
    const auto* found = subject.descriptor(verdict);
    if (found == nullptr) return;
    const auto* its_entry = subject.entry(verdict);
    bool core = false;
    for (std::uint32_t i = 0; found->extensions != nullptr && i < found->extension_count; ++i) {
        const std::string id{view(found->extensions[i])};
        core = core || id == PENSTOCK_EXT_CORE;
        const auto* table = static_cast<const std::uint32_t*>(its_entry->get_extension(0, id.c_str()));
        verdict.expect(table != nullptr,
                       "extension " + printable(id) + " is announced, and get_extension() gives NULL");
    }
    verdict.expect(core, std::string{PENSTOCK_EXT_CORE} + " is not announced");
    const auto complete = [&](const char* id, std::size_t size, std::size_t functions) {
        const auto* table = its_entry->get_extension(0, id);
        if (table == nullptr) return;
        std::uint32_t struct_size = 0;
        std::memcpy(&struct_size, table, sizeof struct_size);
        if (!verdict.expect(struct_size >= size && struct_size <= PENSTOCK_STRUCT_MAX,
                            fmt::format("struct_size of {} is {}, and must be {} or more", id, struct_size, size)))
            return;
        for (std::size_t i = 0; i < functions; ++i) {
            void* function = nullptr;
            std::memcpy(&function, static_cast<const char*>(table) + 8 + i * sizeof function, sizeof function);
            verdict.expect(function != nullptr, fmt::format("function {} of {} is NULL", i + 1, id));
        }
    };
    complete(PENSTOCK_EXT_CORE, size_1_0<penstock_core_v1>, 4);
    complete(PENSTOCK_EXT_NATIVE_LIMIT, size_1_0<penstock_native_limit_v1>, 4);
    verdict.expect(its_entry->get_extension(0, "org.example.nobody-has-this/1") == nullptr,
                   "get_extension() gives something for an id that nobody has");
    verdict.expect(its_entry->get_extension(1, PENSTOCK_EXT_CORE) == nullptr, "get_extension(1, ...) gives something");
}

void manifest(Subject& subject, Verdict& verdict) {
    const auto path = subject.manifest_path();
    const auto text = read_file(path);
    if (!verdict.expect(static_cast<bool>(text), "there is no manifest beside it, at " + path)) return;
    const auto parsed = parse_manifest(*text, path);
    if (!verdict.expect(static_cast<bool>(parsed), parsed ? "" : parsed.error().text())) return;
    const auto* found = subject.descriptor(verdict);
    if (found == nullptr) return;
    verdict.expect(parsed->id == view(found->id), "its id is '" + parsed->id + "', and the library's another");
    verdict.expect(parsed->version == view(found->version),
                   "its version is '" + parsed->version + "', and the library's another");
    verdict.expect(parsed->abi_major == subject.entry(verdict)->abi_major, "its abi.major is not the library's");
    std::vector<std::string> kinds;
    for (std::uint32_t i = 0; i < found->kind_count; ++i) kinds.emplace_back(view(found->kinds[i]));
    verdict.expect(parsed->kinds == kinds, "its kinds are not those of the library's descriptor");
}

constexpr std::array cases{
    Case{"library", "one-symbol", "one-symbol", "the library exports its entry and nothing else", one_symbol},
    Case{"library", "entry", "entry", "the entry is complete", entry},
    Case{"library", "descriptor", "descriptor", "the descriptor says who the plugin is", descriptor},
    Case{"library", "extensions", "extensions", "what is announced is there, whole", extensions},
    Case{"library", "manifest", "manifest", "the manifest says what the library says", manifest}};

} // namespace

std::span<const Case> library_cases() { return cases; }

} // namespace penstock::check
