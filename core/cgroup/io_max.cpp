// SPDX-License-Identifier: Apache-2.0
#include "cgroup/io_max.hpp"

#include "cgroup/lines.hpp"

#include <array>

namespace penstock {
namespace {

struct Field {
    std::string_view key;
    Rate rate;
};
constexpr std::array fields{Field{"rbps", Rate::read_bps}, Field{"wbps", Rate::write_bps},
                            Field{"riops", Rate::read_iops}, Field{"wiops", Rate::write_iops}};

} // namespace

Limits parse_io_max(std::string_view text, DeviceNumber device) {
    Limits limits;
    for_each_line(text, [&](std::string_view line) {
        if (take_word(line) != device.text()) return;
        while (!line.empty()) {
            const auto word = take_word(line);
            for (const auto& field : fields)
                if (word.starts_with(field.key) && word.substr(field.key.size()).starts_with('='))
                    limits[field.rate] =
                        parse_number<std::uint64_t>(word.substr(field.key.size() + 1)); // "max": not set
        }
    });
    return limits;
}

std::string format_io_max(DeviceNumber device, const Limits& limits) {
    auto text = device.text();
    for (const auto& field : fields) {
        const auto& value = limits[field.rate];
        text += " " + std::string{field.key} + "=" + (value ? std::to_string(*value) : "max");
    }
    return text;
}

} // namespace penstock
