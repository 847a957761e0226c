// SPDX-License-Identifier: Apache-2.0
#include "model/limits_json.hpp"

#include <boost/json.hpp>

namespace penstock {
namespace {

namespace json = boost::json;

std::string burst_key(Rate rate) { return std::string{name(rate)} + "_burst"; }

std::optional<std::uint64_t> number(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    if (value == nullptr) return std::nullopt;
    boost::system::error_code failed;
    const auto out = value->to_number<std::uint64_t>(failed);
    return failed ? std::nullopt : std::optional{out};
}

} // namespace

json::object to_json(const Limits& limits) {
    json::object out;
    for (const auto rate : all_rates) {
        if (limits[rate]) out[name(rate)] = *limits[rate];
        if (const auto& burst = limits.burst(rate))
            out[burst_key(rate)] = json::object{{"rate", burst->rate}, {"seconds", burst->seconds}};
    }
    if (limits.io_size) out["io_size"] = *limits.io_size;
    if (limits.group) out["group"] = *limits.group;
    if (limits.weight) out["weight"] = *limits.weight;
    return out;
}

Result<Limits> limits_from_json(const json::value& value) {
    const auto* object = value.if_object();
    if (object == nullptr) return Error{ErrorCode::malformed, "limits are not a JSON object"};
    Limits limits;
    for (const auto rate : all_rates) {
        limits[rate] = number(*object, name(rate));
        const auto* burst = object->if_contains(burst_key(rate));
        if (burst == nullptr || !burst->is_object()) continue;
        const auto burst_rate = number(burst->get_object(), "rate");
        if (burst_rate) limits.burst(rate) = Burst{*burst_rate, number(burst->get_object(), "seconds").value_or(1)};
    }
    limits.io_size = number(*object, "io_size");
    if (const auto* group = object->if_contains("group"); group != nullptr && group->is_string())
        limits.group = std::string{group->get_string()};
    if (const auto weight = number(*object, "weight"); weight && *weight >= least_weight && *weight <= most_weight)
        limits.weight = static_cast<std::uint32_t>(*weight);
    return limits;
}

} // namespace penstock
