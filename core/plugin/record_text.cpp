// SPDX-License-Identifier: Apache-2.0
#include "plugin/record_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {

Error malformed_record(const std::string& what) {
    return Error{ErrorCode::malformed, "the plugin's record is not valid: " + what};
}

std::string RecordText::operator()(penstock_str text, std::string_view field) {
    if (text.n == 0) return {};
    const auto refuse = [&](const std::string& what) {
        if (!problem_) problem_ = malformed_record(what);
        return std::string{};
    };
    if (text.p == nullptr) return refuse(fmt::format("{} has {} bytes at NULL", field, text.n));
    if (text.n > text_cap) return refuse(fmt::format("{} has {} bytes, at most {} are taken", field, text.n, text_cap));
    if (bytes_ + text.n > record_text_cap)
        return refuse(fmt::format("its strings have more than {} bytes together", record_text_cap));
    bytes_ += text.n;
    return {text.p, text.n};
}

std::string_view view_of(penstock_str text) {
    if (text.p == nullptr) return {};
    return {text.p, std::min(text.n, text_cap)};
}

} // namespace penstock
