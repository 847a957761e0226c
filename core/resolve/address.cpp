// SPDX-License-Identifier: Apache-2.0
#include "resolve/address.hpp"

#include "base/suggestion.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <vector>

namespace penstock {
namespace {

bool names(const Instance& instance, std::string_view text) {
    if (text == instance.name || text == instance.key.id) return true;
    const auto& kind = instance.key.kind;
    if (!text.starts_with(kind) || text.size() <= kind.size() || text[kind.size()] != '/') return false;
    const auto rest = text.substr(kind.size() + 1);
    return rest == instance.name || rest == instance.key.id;
}

Error ambiguous(std::string_view address, const std::vector<AddressMatch>& matches) {
    std::vector<std::string> clear;
    for (const auto& match : matches) {
        const auto& instance = *match.instance;
        const bool same_kind = std::count_if(matches.begin(), matches.end(), [&](const AddressMatch& other) {
                                   return other.instance->key.kind == instance.key.kind;
                               }) > 1;
        clear.push_back(instance.key.kind + "/" + (same_kind ? instance.key.id : instance.name));
    }
    std::string list;
    for (const auto& text : clear) list += (list.empty() ? "" : ", ") + printable(text);
    return Error{ErrorCode::conflict,
                 "'" + printable(address) + "' names " + std::to_string(matches.size()) + " instances"}
        .advise("use one of: " + list);
}

Error unknown(std::string_view address, std::span<const Instance> instances) {
    std::vector<std::string> known;
    for (const auto& instance : instances) known.push_back(instance.name);
    const auto word = address.substr(0, address.find(':'));
    auto next = suggest(word, known);
    if (next.empty())
        next = instances.empty() ? "no instance is running, or none was found: see 'penstock plugins'"
                                 : "see 'penstock list'";
    return Error{ErrorCode::not_found, "no instance '" + printable(word) + "'"}.advise(std::move(next));
}

} // namespace

Result<AddressMatch> match_address(std::string_view address, std::span<const Instance> instances) {
    // An instance of exactly this name comes first, then each way to cut the text at a colon, the longest name first.
    for (auto cut = address.size();;) {
        std::vector<AddressMatch> matches;
        for (const auto& instance : instances)
            if (names(instance, address.substr(0, cut)))
                matches.push_back({&instance, std::string{address.substr(std::min(cut + 1, address.size()))}});
        if (matches.size() == 1) return matches.front();
        if (!matches.empty()) return ambiguous(address, matches);
        cut = cut == 0 ? std::string_view::npos : address.rfind(':', cut - 1);
        if (cut == std::string_view::npos) return unknown(address, instances);
    }
}

std::string kind_of_address(std::string_view address, std::span<const std::string> kinds) {
    const auto kind = address.substr(0, address.find('/'));
    if (kind.size() == address.size()) return {};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end() ? std::string{kind} : std::string{};
}

std::string address_of(const Instance& instance, std::string_view disk) {
    auto text = instance.key.kind + "/" + printable(instance.name);
    if (!disk.empty()) text += ":" + printable(disk);
    return text;
}

} // namespace penstock
