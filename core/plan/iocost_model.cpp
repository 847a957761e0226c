// SPDX-License-Identifier: Apache-2.0
#include "plan/iocost_model.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "cgroup/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace penstock {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint64_t IocostModel::*>, 6> fields{
    {{"rbps", &IocostModel::rbps},
     {"rseqiops", &IocostModel::rseqiops},
     {"rrandiops", &IocostModel::rrandiops},
     {"wbps", &IocostModel::wbps},
     {"wseqiops", &IocostModel::wseqiops},
     {"wrandiops", &IocostModel::wrandiops}}};

Error wrong(const std::string& what) {
    return Error{ErrorCode::invalid, "not a model of iocost: " + what}.advise(
        "give all six: rbps=BYTES rseqiops=N rrandiops=N wbps=BYTES wseqiops=N wrandiops=N, each a second");
}

} // namespace

std::string IocostModel::text() const {
    std::string out;
    for (const auto& [name, field] : fields) out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, this->*field);
    return out;
}

Result<IocostModel> parse_iocost_model(std::string_view text) {
    IocostModel model;
    while (!text.empty()) {
        const auto word = take_word(text);
        const auto equals = std::min(word.find('='), word.size());
        const auto found = std::find_if(fields.begin(), fields.end(),
                                        [&](const auto& field) { return field.first == word.substr(0, equals); });
        if (found == fields.end()) return wrong("'" + printable(word) + "' is none of its numbers");
        const auto value = parse_number<std::uint64_t>(word.substr(std::min(equals + 1, word.size())));
        if (!value || *value == 0) return wrong("'" + printable(word) + "' has to be a number of 1 or more");
        model.*(found->second) = *value;
    }
    for (const auto& [name, field] : fields)
        if (model.*field == 0) return wrong(std::string{name} + " is missing");
    return model;
}

IocostModel with_headroom(const IocostModel& measured) {
    IocostModel out;
    for (const auto& [name, field] : fields)
        out.*field =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.85 * static_cast<double>(measured.*field)));
    return out;
}

} // namespace penstock
