// SPDX-License-Identifier: Apache-2.0
#include "cgroup/io_stat.hpp"

#include "cgroup/lines.hpp"

namespace penstock {

std::optional<IoCounters> parse_io_stat(std::string_view text, DeviceNumber device) {
    std::optional<IoCounters> out;
    for_each_line(text, [&](std::string_view line) {
        if (take_word(line) != device.text()) return;
        while (!line.empty()) {
            const auto word = take_word(line);
            const auto equals = word.find('=');
            if (equals == std::string_view::npos) continue;
            const auto value = parse_number<std::uint64_t>(word.substr(equals + 1));
            if (!value) continue;
            if (!out) out.emplace();
            const auto key = word.substr(0, equals);
            if (key == "rbytes") out->read_bytes = *value;
            if (key == "wbytes") out->write_bytes = *value;
            if (key == "rios") out->read_ios = *value;
            if (key == "wios") out->write_ios = *value;
        }
    });
    return out;
}

std::optional<IoCounters> parse_io_service(std::string_view bytes, std::string_view ios, DeviceNumber device) {
    std::optional<IoCounters> out;
    const auto take = [&](std::string_view text, std::uint64_t IoCounters::*read, std::uint64_t IoCounters::*write) {
        for_each_line(text, [&](std::string_view line) {
            if (take_word(line) != device.text()) return;
            const auto operation = take_word(line);
            const auto value = parse_number<std::uint64_t>(take_word(line));
            if (!value) return;
            if (!out) out.emplace();
            if (operation == "Read") (*out).*read = *value;
            if (operation == "Write") (*out).*write = *value;
        });
    };
    take(bytes, &IoCounters::read_bytes, &IoCounters::write_bytes);
    take(ios, &IoCounters::read_ios, &IoCounters::write_ios);
    return out;
}

Result<std::optional<IoCounters>> read_io_counters(const Cgroup& cgroup, DeviceNumber device) {
    if (cgroup.version() == CgroupVersion::v2) {
        const auto text = cgroup.read("io.stat");
        if (!text) return text.error();
        return parse_io_stat(*text, device);
    }
    const auto bytes = cgroup.read("blkio.throttle.io_service_bytes");
    if (!bytes) return bytes.error();
    const auto ios = cgroup.read("blkio.throttle.io_serviced");
    if (!ios) return ios.error();
    return parse_io_service(*bytes, *ios, device);
}

} // namespace penstock
