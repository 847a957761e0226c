// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "json.hpp"

#include <algorithm>

namespace penstock::kvm {

namespace {

constexpr std::size_t item_cap = 4096;

void flatten(const boost::json::value& value, const std::string& key, Options& out) {
    if (out.items().size() >= item_cap) return;
    const auto below = [&](std::string_view name) {
        return key.empty() ? std::string{name} : key + "." + std::string{name};
    };
    if (const auto* object = value.if_object()) {
        for (const auto& item : *object) flatten(item.value(), below({item.key().data(), item.key().size()}), out);
    } else if (const auto* array = value.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i) flatten((*array)[i], below(std::to_string(i)), out);
    } else if (const auto* text = value.if_string()) {
        out.add(key, std::string{text->data(), text->size()});
    } else if (value.is_bool()) {
        out.add(key, value.get_bool() ? "on" : "off");
    } else {
        out.add(key, value.is_null() ? "" : boost::json::serialize(value));
    }
}

// Up to the next single comma; ",," stands for one that belongs to the value.
std::string take_value(std::string_view& text) {
    std::string value;
    while (!text.empty()) {
        if (text[0] == ',') {
            text.remove_prefix(1);
            if (text.empty() || text[0] != ',') break;
        }
        value += text[0];
        text.remove_prefix(1);
    }
    return value;
}

} // namespace

Options Options::parse(std::string_view text, std::string_view implied) {
    Options out;
    if (text.starts_with('{')) {
        if (const auto value = parse_json(text)) flatten(*value, "", out);
        return out;
    }
    for (bool first = true; !text.empty() && out.items_.size() < item_cap; first = false) {
        const auto end = text.find_first_of("=,");
        if (end != std::string_view::npos && text[end] == '=') {
            std::string key{text.substr(0, end)};
            text.remove_prefix(end + 1);
            out.add(std::move(key), take_value(text));
            continue;
        }
        auto word = take_value(text);
        if (first && !implied.empty())
            out.add(std::string{implied}, std::move(word));
        else if (!word.empty())
            out.add(std::move(word), "on");
    }
    return out;
}

std::string_view Options::get(std::string_view key) const {
    const auto found =
        std::find_if(items_.rbegin(), items_.rend(), [&](const auto& item) { return item.first == key; });
    return found == items_.rend() ? std::string_view{} : std::string_view{found->second};
}

bool Options::has(std::string_view key) const {
    return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item.first == key; });
}

bool Options::on(std::string_view key) const {
    const auto value = get(key);
    return value == "on" || value == "yes" || value == "true" || value == "y";
}

bool Options::any_below(std::string_view prefix) const {
    return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item.first.starts_with(prefix); });
}

} // namespace penstock::kvm
