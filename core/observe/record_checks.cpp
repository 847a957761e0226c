// SPDX-License-Identifier: Apache-2.0
#include "observe/record_checks.hpp"

#include "base/text.hpp"
#include "sys/block_device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {

void check_records(const Roots& roots, std::span<const InstanceRecord> records, std::span<const InstanceView> running,
                   Findings& findings) {
    for (const auto& record : records) {
        const auto address = record.key.kind + "/" + printable(record.name);
        const bool runs = std::any_of(running.begin(), running.end(), [&](const InstanceView& view) {
            return view.instance.key.kind == record.key.kind && view.instance.key.id == record.key.id;
        });
        if (!runs)
            findings.push_back({Severity::note, "record.stale", address, "a limit is recorded, but it is not running",
                                "none: its limits ended with it", "'penstock gc --ended' forgets it"});
        for (const auto& disk : record.disks) {
            if (disk.point.engine != Engine::cgroup) continue;
            const auto device = read_block_device(roots, disk.point.device);
            if (device && device->identity() == disk.device_identity) continue;
            findings.push_back({Severity::warning, "record.device_gone", address + ":" + printable(disk.disk),
                                fmt::format("a limit is recorded on {} ({}), which has gone", disk.point.device_name,
                                            printable(disk.device_identity)),
                                device ? "the number is another device's now, and a limit may be left on it"
                                       : "none: its limit went with it",
                                "'penstock gc' forgets it; 'penstock set' applies it again where the disk is now"});
        }
    }
}

} // namespace penstock
