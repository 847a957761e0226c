// SPDX-License-Identifier: Apache-2.0
//
// penstock/text.hpp - taking apart the text that the kernel and programs write. Every function may be called from any
// thread, throws nothing of its own and works with -fno-exceptions.
#ifndef PENSTOCK_TEXT_HPP
#define PENSTOCK_TEXT_HPP

#include <penstock/plugin.hpp>

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace penstock {
namespace sdk PENSTOCK_HIDDEN {
inline namespace v1 {

// The whole text as a number: nothing before it, nothing after it, no "+", no "0x", no sign for an unsigned type.
// Nothing where it is not one, or does not fit.
template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// What stands between the separators, empty parts too: "a::b" has three, "" has one. The parts borrow from `text`.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

} // namespace v1
} // namespace PENSTOCK_HIDDEN
} // namespace penstock

#endif // PENSTOCK_TEXT_HPP
