// SPDX-License-Identifier: Apache-2.0
#include "observe/disk_checks.hpp"

#include "base/text.hpp"
#include "resolve/address.hpp"

namespace penstock {

void check_disk(const InstanceView& view, const DiskStatus& status, Findings& findings) {
    const auto address = address_of(view.instance, status.disk);
    const auto& facts = view.find(status.disk)->disk;
    if (facts.cache == CacheMode::buffered)
        findings.push_back(
            {Severity::warning, "disk.page_cache", address, "the image is opened through the host's page cache",
             "cgroup limits do not act on its writes (v1), or only at writeback (v2)", "cache=none, or --via native"});
    if (facts.bus == "ide" || facts.bus == "sata")
        findings.push_back({Severity::note, "disk.emulated_bus", address,
                            "the disk is on an emulated " + facts.bus + " bus",
                            "one request at a time: the guest is slow before any limit acts", "use virtio"});
    if (!status.verdict && status.choice.engine == Engine::none && !facts.empty)
        findings.push_back({Severity::warning, "disk.no_engine", address, status.choice.why, "it cannot be limited",
                            status.choice.cgroup.impossible ? status.choice.cgroup.impossible->remedy : std::string{}});
    if (status.verdict && status.verdict->kind != VerdictKind::enforced)
        findings.push_back({status.verdict->kind == VerdictKind::ineffective ? Severity::warning : Severity::error,
                            "limit.not_in_force", address, status.verdict->reason,
                            "a limit that was set is not in force", status.verdict->remedy});
}

} // namespace penstock
