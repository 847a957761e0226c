// SPDX-License-Identifier: Apache-2.0
#include "cli/limit_options.hpp"

#include "base/number.hpp"
#include "base/size.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

namespace po = boost::program_options;

// "write_bps" is "--write-bps".
std::string option_name(Rate rate) {
    std::string text{name(rate)};
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
}
std::string burst_name(Rate rate) { return option_name(rate) + "-burst"; }

const std::string& value_of(const Arguments& arguments, const std::string& option) {
    return arguments.options[option].as<std::string>();
}

Result<std::uint64_t> parse_rate(Rate rate, std::string_view text) {
    return is_bandwidth(rate) ? parse_size(text) : parse_count(text);
}

// RATE or RATE/SECONDS
Result<Burst> parse_burst(Rate rate, const std::string& text) {
    const auto slash = text.find('/');
    const auto value = parse_rate(rate, std::string_view{text}.substr(0, slash));
    if (!value) return value.error();
    Burst burst{*value, 1};
    if (slash == std::string::npos) return burst;
    auto seconds = std::string_view{text}.substr(slash + 1);
    if (seconds.ends_with('s')) seconds.remove_suffix(1);
    const auto parsed = parse_number<std::uint64_t>(seconds);
    if (!parsed || *parsed == 0)
        return Error{ErrorCode::invalid, fmt::format("'{}', column {}: whole seconds are expected after the slash",
                                                     printable(text), slash + 2)}
            .advise("write for example 40M/5");
    burst.seconds = *parsed;
    return burst;
}

Result<std::uint32_t> parse_weight(const std::string& text) {
    const auto value = parse_number<std::uint32_t>(text);
    if (value && *value >= least_weight && *value <= most_weight) return *value;
    return Error{ErrorCode::invalid,
                 fmt::format("'{}' is not a whole number from {} to {}", printable(text), least_weight, most_weight)}
        .advise("100 is the weight of whoever has none; 1000 gets ten times its share");
}

} // namespace

void add_limit_values(po::options_description& options) {
    auto add = options.add_options();
    for (const auto rate : all_rates) {
        const auto help = is_bandwidth(rate) ? fmt::format("{} per second", is_total(rate)   ? "bytes read and written"
                                                                            : is_write(rate) ? "bytes written"
                                                                                             : "bytes read")
                                             : fmt::format("{} per second", is_total(rate)   ? "requests"
                                                                            : is_write(rate) ? "write requests"
                                                                                             : "read requests");
        add(option_name(rate).c_str(), po::value<std::string>()->value_name(is_bandwidth(rate) ? "SIZE" : "COUNT"),
            help.c_str());
    }
    for (const auto rate : all_rates)
        add(burst_name(rate).c_str(), po::value<std::string>()->value_name("RATE[/SECONDS]"),
            ("burst above " + option_name(rate) + " after a quiet time (native)").c_str());
    add("io-size", po::value<std::string>()->value_name("SIZE"),
        "bytes that count as one request for iops limits (native)");
    add("group", po::value<std::string>()->value_name("NAME"),
        "share one allowance with the other disks of this group (native)");
    add("weight", po::value<std::string>()->value_name("WEIGHT"),
        "share of the device while others want it too: 1 to 10000, and 100 for who has none (cgroup)");
}

void add_limit_flags(po::options_description& options) {
    auto add = options.add_options();
    for (const auto rate : all_rates)
        add(option_name(rate).c_str(), ("clear " + std::string{name(rate)} + " and its burst").c_str());
    for (const auto rate : all_rates)
        add(burst_name(rate).c_str(), ("clear the burst of " + std::string{name(rate)}).c_str());
    add("io-size", "clear the request size for iops limits");
    add("group", "leave the throttle group");
    add("weight", "clear the weight");
}

Result<Limits> limits_from(const Arguments& arguments) {
    Limits limits;
    for (const auto rate : all_rates) {
        if (const auto option = option_name(rate); arguments.has(option.c_str())) {
            auto value = parse_rate(rate, value_of(arguments, option));
            if (!value) return std::move(value.error()).within("--" + option);
            limits[rate] = *value;
        }
        if (const auto option = burst_name(rate); arguments.has(option.c_str())) {
            auto burst = parse_burst(rate, value_of(arguments, option));
            if (!burst) return std::move(burst.error()).within("--" + option);
            limits.burst(rate) = *burst;
        }
    }
    if (arguments.has("io-size")) {
        auto value = parse_size(value_of(arguments, "io-size"));
        if (!value) return std::move(value.error()).within("--io-size");
        limits.io_size = *value;
    }
    if (arguments.has("group")) limits.group = value_of(arguments, "group");
    if (arguments.has("weight")) {
        auto value = parse_weight(value_of(arguments, "weight"));
        if (!value) return std::move(value.error()).within("--weight");
        limits.weight = *value;
    }
    return limits;
}

LimitFields fields_from(const Arguments& arguments) {
    LimitFields fields;
    for (const auto rate : all_rates) {
        fields.rates[index(rate)] = arguments.has(option_name(rate).c_str());
        fields.bursts[index(rate)] = fields.rates[index(rate)] || arguments.has(burst_name(rate).c_str());
    }
    fields.io_size = arguments.has("io-size");
    fields.group = arguments.has("group");
    fields.weight = arguments.has("weight");
    return fields == LimitFields{} ? LimitFields::all() : fields;
}

} // namespace penstock
