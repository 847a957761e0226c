// SPDX-License-Identifier: Apache-2.0
#include "container.hpp"

#include "text.hpp"

#include <algorithm>

namespace penstock::lxc {

std::vector<std::string> Container::names() const {
    std::vector<std::string> all;
    std::string_view rest = id;
    while (!rest.empty()) {
        const auto end = std::min(rest.find("//"), rest.size());
        const auto one = rest.substr(0, end);
        all.emplace_back(one.substr(one.rfind('/') + 1));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

std::optional<Incarnation> parse_incarnation(std::string_view text) {
    const auto init = number<int>(take_until(text, '-'));
    const auto start = number<std::uint64_t>(text);
    if (!init || *init <= 0 || !start) return std::nullopt;
    return Incarnation{*init, *start};
}

} // namespace penstock::lxc
