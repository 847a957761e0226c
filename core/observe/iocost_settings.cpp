// SPDX-License-Identifier: Apache-2.0
#include "observe/iocost_settings.hpp"

#include "cgroup/lines.hpp"
#include "observe/calibration.hpp"
#include "sys/file.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace penstock {
namespace {

// The database's line of a device is "E:KEY=VALUE".
std::map<std::string, std::string> iocost_properties(std::string_view text) {
    std::map<std::string, std::string> out;
    for_each_line(text, [&](std::string_view line) {
        if (!line.starts_with("E:IOCOST_")) return;
        line.remove_prefix(2);
        const auto equals = line.find('=');
        if (equals != std::string_view::npos) out.emplace(line.substr(0, equals), line.substr(equals + 1));
    });
    return out;
}

// "ISOLATED_BANDWIDTH" of "isolated-bandwidth", as the keys have it.
std::string key_part(std::string_view solution) {
    std::string out{solution};
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
    return out;
}

std::string preferred(std::string_view solutions) {
    std::string first;
    while (!solutions.empty()) {
        const auto solution = take_word(solutions);
        if (solution == "isolation") return std::string{solution};
        if (first.empty()) first = solution;
    }
    return first;
}

} // namespace

std::optional<IocostSettings> iocost_settings_from_udev(const Roots& roots, const BlockDevice& device) {
    const auto path = roots.run + "/udev/data/b" + device.number.text();
    const auto text = read_file(path);
    if (!text) return std::nullopt;
    const auto properties = iocost_properties(*text);
    const auto solutions = properties.find("IOCOST_SOLUTIONS");
    if (solutions == properties.end()) return std::nullopt;
    const auto part = key_part(preferred(solutions->second));
    const auto model = properties.find("IOCOST_MODEL_" + part), qos = properties.find("IOCOST_QOS_" + part);
    if (model == properties.end() || qos == properties.end()) return std::nullopt;
    auto parsed = parse_iocost_model(model->second);
    if (!parsed) return std::nullopt;
    return IocostSettings{*parsed, qos->second, "by udev's hardware database"};
}

Result<IocostSettings> measure_iocost_settings(const Roots& roots, const BlockDevice& device) {
    auto node = device.name;
    std::replace(node.begin(), node.end(), '!', '/'); // sysfs has no other way to name cciss/c0d0
    const auto measured = calibrate(roots.dev + "/" + node);
    if (!measured) return measured.error();
    return IocostSettings{with_headroom(*measured), strict_iocost_qos, "85 % of what it did while it was read"};
}

} // namespace penstock
