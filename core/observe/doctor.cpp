// SPDX-License-Identifier: Apache-2.0
#include "observe/doctor.hpp"

#include "base/text.hpp"
#include "observe/disk_checks.hpp"
#include "observe/host_checks.hpp"
#include "observe/limit_checks.hpp"
#include "observe/record_checks.hpp"
#include "observe/status.hpp"
#include "observe/weight_checks.hpp"
#include "resolve/address.hpp"

#include <algorithm>

namespace penstock {

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
    }
    return "error";
}

namespace {

void check_instance(Inventory& inventory, const InstanceView& view, const std::vector<InstanceRecord>& records,
                    Findings& findings) {
    const auto address = address_of(view.instance);
    if (view.instance.unreachable)
        findings.push_back({Severity::warning, "instance.unreachable", address, printable(view.instance.note),
                            "its own limiter cannot be used", "see the note"});
    for (const auto& trouble : view.troubles)
        findings.push_back({Severity::warning, "instance.incomplete", address, trouble.text(),
                            "its disks may be missing from the lists", trouble.next()});
    const auto record = std::find_if(records.begin(), records.end(), [&](const InstanceRecord& r) {
        return r.key.kind == view.instance.key.kind && r.key.id == view.instance.key.id;
    });
    const auto disks = check(inventory, view, record == records.end() ? nullptr : &*record, Depth::recorded);
    for (const auto& status : disks) check_disk(view, status, findings);
    check_limits(inventory, view, disks, findings);
    check_weights(inventory, view, disks, findings);
}

} // namespace

Findings examine(Inventory& inventory, const Journal& journal) {
    Findings findings;
    check_host(inventory, findings);
    auto list = inventory.list();
    const auto views = inventory.view_all(list.instances, list.warnings);
    for (const auto& warning : list.warnings)
        findings.push_back({Severity::warning, "instances.incomplete", "host", warning.text(),
                            "an instance may be missing from the lists", warning.next()});
    std::vector<std::string> problems;
    const auto records = journal.load_all(&problems);
    for (const auto& problem : problems)
        findings.push_back({Severity::warning, "journal.unreadable", "host", problem,
                            "a limit of ours is not known any more", "remove the file, and set the limit again"});
    for (const auto& view : views) check_instance(inventory, view, records, findings);
    check_records(inventory.roots(), records, views, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

} // namespace penstock
