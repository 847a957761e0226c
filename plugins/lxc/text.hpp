// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace penstock::lxc {

// Cuts off and returns what stands before the separator.
inline std::string_view take_until(std::string_view& text, char separator) {
    const auto at = text.find(separator);
    const auto head = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return head;
}

} // namespace penstock::lxc
