// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace penstock {
namespace {

// Length in bytes of the UTF-8 character at the start of `text`; 0 where there is none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto first = byte(0);
    const std::size_t n = first < 0x80                    ? 1
                          : first >= 0xc2 && first < 0xe0 ? 2
                          : (first & 0xf0) == 0xe0        ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    if (n == 0 || text.size() < n) return 0;
    std::uint32_t point = n == 1 ? first : first & (0xffU >> (n + 1));
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        point = point << 6 | (byte(i) & 0x3fU);
    }
    const bool overlong = (n == 3 && point < 0x800) || (n == 4 && (point < 0x10000 || point > 0x10ffff));
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    const bool direction = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
    return overlong || surrogate || control || direction ? 0 : n;
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto n = character_length(text);
        if (n == 0) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        out += text.substr(0, n);
        text.remove_prefix(n == 0 ? 1 : n);
    }
    return out;
}

std::size_t columns(std::string_view text) {
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
}

} // namespace penstock
