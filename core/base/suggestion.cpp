// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace penstock {
namespace {

// How many letters must be added, removed or replaced to turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::string suggest(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t longest = 100; // the work grows with the product of the lengths, and names are hostile
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    const std::string* found = nullptr;
    for (const auto& candidate : known) {
        if (word.size() > longest || candidate.size() > longest) continue;
        if (const auto distance = edit_distance(word, candidate); distance < best) {
            best = distance;
            found = &candidate;
        }
    }
    return found == nullptr ? "" : "did you mean '" + printable(*found) + "'?";
}

} // namespace penstock
