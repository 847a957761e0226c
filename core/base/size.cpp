// SPDX-License-Identifier: Apache-2.0
#include "base/size.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>

namespace penstock {
namespace {

struct Unit {
    std::string_view suffix;
    std::uint64_t factor;
};

constexpr std::array<Unit, 9> size_units{{{"", 1},
                                          {"k", 1'000},
                                          {"M", 1'000'000},
                                          {"G", 1'000'000'000},
                                          {"T", 1'000'000'000'000},
                                          {"Ki", 1ULL << 10},
                                          {"Mi", 1ULL << 20},
                                          {"Gi", 1ULL << 30},
                                          {"Ti", 1ULL << 40}}};
constexpr std::span<const Unit> count_units{size_units.data(), 3};
constexpr std::uint64_t greatest = std::numeric_limits<std::int64_t>::max();

Error bad(std::string_view text, std::size_t at, std::string_view why, std::string_view next) {
    return Error{ErrorCode::invalid, fmt::format("'{}', column {}: {}", text, at + 1, why)}.advise(std::string{next});
}

std::optional<std::uint64_t> factor_of(std::string_view suffix, std::span<const Unit> units) {
    for (const auto& unit : units)
        if (unit.suffix == suffix) return unit.factor;
    return std::nullopt;
}

Result<std::uint64_t> parse(std::string_view text, std::span<const Unit> units, std::string_view next) {
    const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    __extension__ using Wide = unsigned __int128;
    std::size_t at = 0;
    Wide digits = 0;
    Wide scale = 1; // digits / scale is the number before its unit
    if (text.empty()) return bad(text, 0, "empty", next);
    if (!is_digit(0)) return bad(text, 0, "a number is expected here", next);
    for (; is_digit(at); ++at) {
        digits = digits * 10 + static_cast<unsigned>(text[at] - '0');
        if (digits > greatest) return bad(text, at, "too large", next);
    }
    if (at < text.size() && text[at] == '.') {
        const auto first = ++at;
        for (; is_digit(at); ++at) {
            if (at - first >= 12) return bad(text, at, "too many decimals", next);
            digits = digits * 10 + static_cast<unsigned>(text[at] - '0');
            scale *= 10;
        }
        if (at == first) return bad(text, at, "a digit is expected after the point", next);
    }
    const auto factor = factor_of(text.substr(at), units);
    if (!factor) return bad(text, at, fmt::format("'{}' is not a unit", text.substr(at)), next);
    const Wide product = digits * *factor;
    if (product % scale != 0) return bad(text, at, "not a whole number", next);
    const Wide value = product / scale;
    if (value > greatest) return bad(text, at, "too large", next);
    if (value == 0) return bad(text, 0, "0 is not a limit", "to remove a limit, use 'penstock clear'");
    return static_cast<std::uint64_t>(value);
}

} // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    return parse(text, size_units,
                 "write for example 20M, 1.5Gi or 4096: k M G T are powers of 1000, Ki Mi Gi Ti of 1024");
}

Result<std::uint64_t> parse_count(std::string_view text) {
    return parse(text, count_units, "write for example 500, 1.5k or 20k");
}

std::string format_size(std::uint64_t bytes) {
    Unit best = size_units[0];
    for (const auto& unit : size_units)
        if (bytes != 0 && bytes % unit.factor == 0 && unit.factor > best.factor) best = unit;
    return fmt::format("{}{}", bytes / best.factor, best.suffix);
}

std::string format_rounded(double value) {
    std::string_view suffix;
    for (const auto& unit : std::span{size_units}.subspan(1, 4)) {
        if (value < 999.5) break;
        value /= 1000;
        suffix = unit.suffix;
    }
    const int decimals = value >= 99.95 || (suffix.empty() && value == static_cast<double>(static_cast<long>(value)))
                             ? 0
                         : value >= 9.995 ? 1
                                          : 2;
    return fmt::format("{:.{}f}{}", value, decimals, suffix);
}

} // namespace penstock
