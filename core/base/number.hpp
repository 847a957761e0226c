// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace penstock {

// The whole text as a decimal number; nothing before, nothing after, no sign for an unsigned type.
template <std::integral T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace penstock
