// SPDX-License-Identifier: Apache-2.0
#include "cli/table.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {

void Table::print() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
    }
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - columns(row[i]) + 2, ' ');
        }
        fmt::print("{}\n", line);
    }
}

} // namespace penstock
