// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <penstock/plugin.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

inline constexpr std::uint32_t text_cap = 65536;          // one string
inline constexpr std::size_t record_text_cap = 1 << 20;   // all strings of one record
inline constexpr std::size_t listing_text_cap = 64 << 20; // all strings of one call

Error malformed_record(const std::string& what);

// Copies the strings of one record at once: the plugin's memory is borrowed for the time of the call only. Bytes are
// kept as they are; names are made printable where they are printed. The first problem is kept.
class RecordText {
public:
    std::string operator()(penstock_str text, std::string_view field);
    std::size_t bytes() const { return bytes_; }
    const std::optional<Error>& problem() const { return problem_; }

private:
    std::size_t bytes_ = 0;
    std::optional<Error> problem_;
};

// What a string of a plugin holds, for comparing and for printing; at most text_cap bytes of it.
std::string_view view_of(penstock_str text);

} // namespace penstock
