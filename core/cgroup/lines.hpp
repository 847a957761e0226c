// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/number.hpp"

#include <algorithm>
#include <string_view>

namespace penstock {

// Calls `use` with each line that is not empty.
template <class Use>
void for_each_line(std::string_view text, Use use) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        if (end != 0) use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// Cuts the first word off `line`; whole tokens only, so that 8:0 is never found inside of 18:0.
inline std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return word;
}

} // namespace penstock
