// SPDX-License-Identifier: Apache-2.0
#include "observe/doctor.hpp"

#include "base/text.hpp"
#include "observe/status.hpp"
#include "resolve/address.hpp"

#include <fmt/format.h>
#include <unistd.h>

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

class Examination {
public:
    Examination(Inventory& inventory, const Journal& journal) : inventory_{inventory}, journal_{journal} {}

    std::vector<Finding> run() {
        privilege();
        hierarchy();
        plugins();
        instances();
        std::stable_sort(findings_.begin(), findings_.end(),
                         [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
        return std::move(findings_);
    }

private:
    void add(Severity severity, std::string check, std::string subject, std::string evidence, std::string effect,
             std::string remedy) {
        findings_.push_back({severity, std::move(check), std::move(subject), std::move(evidence), std::move(effect),
                             std::move(remedy)});
    }

    void privilege() {
        if (::geteuid() == 0) return;
        add(Severity::warning, "host.privilege", "host", fmt::format("running as uid {}", ::geteuid()),
            "other users' processes and most control files cannot be read, so that more may be missing than is "
            "reported",
            "run it as root");
    }

    void hierarchy() {
        const auto& found = inventory_.hierarchy();
        if (!found)
            return add(Severity::error, "cgroup.hierarchy", "host", found.error().text(),
                       "no cgroup limit can be set; QEMU's own limiter still works", found.error().next());
        if (found->version == CgroupVersion::v1)
            add(Severity::note, "cgroup.v1", "host", "block I/O is limited by cgroup v1 (" + found->mount_point + ")",
                "writes that go through the page cache are not limited by cgroups",
                "cache=none for guests, or boot with cgroup v2 (systemd.unified_cgroup_hierarchy=1)");
        if (!found->shared_with.empty())
            add(Severity::note, "cgroup.shared_hierarchy", "host",
                "blkio is mounted together with " + found->shared_with.front(),
                "a process that is given a cgroup of its own leaves those limits too: only with --adopt",
                "mount blkio by itself");
    }

    void plugins() {
        if (inventory_.plugins().entries().empty())
            add(Severity::error, "plugins.none", "host", "no plugin was found", "no instance can be seen",
                "install a plugin, or give its directory with --plugin-dir");
        for (const auto& entry : inventory_.plugins().entries())
            if (const auto plugin = inventory_.plugins().get(entry); !plugin)
                add(Severity::error, "plugins.load", printable(entry.manifest.id), plugin.error().text(),
                    "its instances cannot be seen", plugin.error().next());
    }

    void instances() {
        auto list = inventory_.list();
        const auto views = inventory_.view_all(list.instances, list.warnings);
        for (const auto& warning : list.warnings)
            add(Severity::warning, "instances.incomplete", "host", warning.text(),
                "an instance may be missing from the lists", warning.next());
        std::vector<std::string> problems;
        const auto records = journal_.load_all(&problems);
        for (const auto& problem : problems)
            add(Severity::warning, "journal.unreadable", "host", problem, "a limit of ours is not known any more",
                "remove the file, and set the limit again");
        for (const auto& view : views) instance(view, records);
    }

    void instance(const InstanceView& view, const std::vector<InstanceRecord>& records) {
        const auto address = address_of(view.instance);
        if (view.instance.unreachable)
            add(Severity::warning, "instance.unreachable", address, printable(view.instance.note),
                "its own limiter cannot be used", "see the note");
        for (const auto& trouble : view.troubles)
            add(Severity::warning, "instance.incomplete", address, trouble.text(),
                "its disks may be missing from the lists", trouble.next());
        const auto record = std::find_if(records.begin(), records.end(), [&](const InstanceRecord& r) {
            return r.key.kind == view.instance.key.kind && r.key.id == view.instance.key.id;
        });
        for (const auto& status :
             check(inventory_, view, record == records.end() ? nullptr : &*record, Depth::recorded))
            disk(view, status);
    }

    void disk(const InstanceView& view, const DiskStatus& status) {
        const auto address = address_of(view.instance, status.disk);
        const auto& facts = view.find(status.disk)->disk;
        if (facts.cache == CacheMode::buffered)
            add(Severity::warning, "disk.page_cache", address, "the image is opened through the host's page cache",
                "cgroup limits do not act on its writes (v1), or only at writeback (v2)",
                "cache=none, or --via native");
        if (facts.bus == "ide" || facts.bus == "sata")
            add(Severity::note, "disk.emulated_bus", address, "the disk is on an emulated " + facts.bus + " bus",
                "one request at a time: the guest is slow before any limit acts", "use virtio");
        if (!status.verdict && status.choice.engine == Engine::none && !facts.empty)
            add(Severity::warning, "disk.no_engine", address, status.choice.why, "it cannot be limited",
                status.choice.cgroup.impossible ? status.choice.cgroup.impossible->remedy : "");
        if (status.verdict && status.verdict->kind != VerdictKind::enforced)
            add(status.verdict->kind == VerdictKind::ineffective ? Severity::warning : Severity::error,
                "limit.not_in_force", address, status.verdict->reason, "a limit that was set is not in force",
                status.verdict->remedy);
    }

    Inventory& inventory_;
    const Journal& journal_;
    std::vector<Finding> findings_;
};

} // namespace

std::vector<Finding> examine(Inventory& inventory, const Journal& journal) {
    return Examination{inventory, journal}.run();
}

} // namespace penstock
