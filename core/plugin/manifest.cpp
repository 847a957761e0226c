// SPDX-License-Identifier: Apache-2.0
#include "plugin/manifest.hpp"

#include "base/suggestion.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1 // one small file is parsed: not worth a library to load at every start
#include <toml++/toml.h>

#include <algorithm>

namespace penstock {
namespace {

Error at(std::string_view file, const toml::source_region& where, std::string_view what) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}:{}: {}", printable(file), where.begin.line, where.begin.column, what)};
}

constexpr std::size_t word_cap = 256;
constexpr std::string_view a_word = "a text of 1 to 256 bytes without control characters";

bool is_word(std::string_view text) { return !text.empty() && text.size() <= word_cap && printable(text) == text; }

std::string hint(const std::string& suggestion) { return suggestion.empty() ? "" : ", " + suggestion; }

// Reads the keys of one table; the first problem is kept.
class Reader {
public:
    Reader(const toml::table& table, std::string_view file) : table_{table}, file_{file} {}

    void allow(std::vector<std::string> known) {
        for (const auto& [key, value] : table_) {
            const std::string name{key.str()};
            if (std::find(known.begin(), known.end(), name) == known.end())
                fail(key.source(), fmt::format("unknown key '{}'{}", printable(name), hint(suggest(name, known))));
        }
    }
    std::string text(std::string_view key) {
        const auto* node = need(key);
        const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
        if (node != nullptr && (!value || !is_word(*value)))
            fail(node->source(), fmt::format("'{}' must be {}", key, a_word));
        return value.value_or("");
    }
    unsigned number(std::string_view key) {
        const auto* node = need(key);
        const auto value = node == nullptr ? std::nullopt : node->value_exact<std::int64_t>();
        if (node != nullptr && (!value || *value < 0 || *value > 1000))
            fail(node->source(), fmt::format("'{}' must be a whole number from 0 to 1000", key));
        return static_cast<unsigned>(value.value_or(0));
    }
    std::vector<std::string> texts(std::string_view key) {
        std::vector<std::string> out;
        const auto* node = need(key);
        if (node == nullptr) return out;
        const auto* array = node->as_array();
        if (array == nullptr)
            fail(node->source(), fmt::format("'{}' must be a list of texts", key));
        else
            for (const auto& item : *array) {
                const auto value = item.value_exact<std::string>();
                if (!value || !is_word(*value))
                    fail(item.source(), fmt::format("'{}' must be a list, and each of it {}", key, a_word));
                else
                    out.push_back(*value);
            }
        return out;
    }
    const toml::table* table(std::string_view key) {
        const auto* node = need(key);
        if (node != nullptr && node->as_table() == nullptr)
            fail(node->source(), fmt::format("'{}' must be a table", key));
        return node == nullptr ? nullptr : node->as_table();
    }
    void fail(const toml::source_region& where, std::string_view what) {
        if (!problem_) problem_ = at(file_, where, what);
    }
    void fail_at(std::string_view key, std::string_view what) { fail(table_.get(key)->source(), what); }
    const std::optional<Error>& problem() const { return problem_; }

private:
    const toml::node* need(std::string_view key) {
        const auto* node = table_.get(key);
        if (node == nullptr) fail(table_.source(), fmt::format("key '{}' is missing", key));
        return node;
    }

    const toml::table& table_;
    std::string_view file_;
    std::optional<Error> problem_;
};

// Kinds stand in addresses (kvm/db1) and in file and cgroup names.
bool is_kind(std::string_view text) {
    return text.size() <= 32 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

// Reverse-DNS: at least two parts. Ids name sections of the configuration.
bool is_id(std::string_view text) {
    return text.find('.') != std::string_view::npos && !text.starts_with('.') && !text.ends_with('.') &&
           text.find("..") == std::string_view::npos &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string_view::npos;
}

// What the types cannot say; each at the key that is wrong.
void check_words(const PluginManifest& manifest, Reader& reader) {
    if (!is_id(manifest.id))
        reader.fail_at("id", "'id' must be a reverse-DNS name in lower-case letters, as org.example.mine");
    if (manifest.kinds.empty() || !std::all_of(manifest.kinds.begin(), manifest.kinds.end(), is_kind))
        reader.fail_at("kinds", "'kinds' must name at least one kind, in lower-case letters, digits and '-'");
    const std::vector<std::string> known{"network", "fork", "root", "device-nodes"};
    for (const auto& need : manifest.needs)
        if (std::find(known.begin(), known.end(), need) == known.end())
            reader.fail_at("needs",
                           fmt::format("'needs' holds '{}', which is not known{}", need, hint(suggest(need, known))));
}

} // namespace

Result<PluginManifest> parse_manifest(std::string_view text, std::string_view file) {
    const auto parsed = toml::parse(text, file);
    if (!parsed) return at(file, parsed.error().source(), printable(parsed.error().description()));
    Reader reader{parsed.table(), file};
    reader.allow({"id", "name", "version", "kinds", "abi", "needs"});
    PluginManifest manifest{
        reader.text("id"),    reader.text("name"), reader.text("version"), reader.texts("kinds"), 0, 0,
        reader.texts("needs")};
    if (const auto* abi = reader.table("abi")) {
        Reader inner{*abi, file};
        inner.allow({"major", "min_minor"});
        manifest.abi_major = inner.number("major");
        manifest.abi_min_minor = inner.number("min_minor");
        if (inner.problem()) return *inner.problem();
    }
    if (!reader.problem()) check_words(manifest, reader);
    if (reader.problem()) return *reader.problem();
    return manifest;
}

} // namespace penstock
