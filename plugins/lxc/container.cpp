// SPDX-License-Identifier: Apache-2.0
#include "container.hpp"

#include "text.hpp"

namespace penstock::lxc {

std::optional<Incarnation> parse_incarnation(std::string_view text) {
    const auto init = number<int>(take_until(text, '-'));
    const auto start = number<std::uint64_t>(text);
    if (!init || *init <= 0 || !start) return std::nullopt;
    return Incarnation{*init, *start};
}

} // namespace penstock::lxc
