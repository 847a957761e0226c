// SPDX-License-Identifier: Apache-2.0
#include "container.hpp"

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

} // namespace penstock::lxc
