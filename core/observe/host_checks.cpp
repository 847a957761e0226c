// SPDX-License-Identifier: Apache-2.0
#include "observe/host_checks.hpp"

#include "base/text.hpp"
#include "cgroup/cgroup.hpp"
#include "observe/kernel_options.hpp"
#include "sys/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

namespace penstock {
namespace {

void check_privilege(Findings& findings) {
    if (::geteuid() == 0) return;
    findings.push_back(
        {Severity::warning, "host.privilege", "host", fmt::format("running as uid {}", ::geteuid()),
         "other users' processes and most control files cannot be read, so that more may be missing than "
         "is reported",
         "run it as root"});
}

void check_hierarchy(const Result<Hierarchy>& found, Findings& findings) {
    if (!found) {
        findings.push_back({Severity::error, "cgroup.hierarchy", "host", found.error().text(),
                            "no cgroup limit can be set; QEMU's own limiter still works", found.error().next()});
        return;
    }
    if (found->version == CgroupVersion::v1)
        findings.push_back({Severity::note, "cgroup.v1", "host",
                            "block I/O is limited by cgroup v1 (" + found->mount_point + ")",
                            "writes that go through the page cache are not limited by cgroups",
                            "cache=none for guests, or boot with cgroup v2 (systemd.unified_cgroup_hierarchy=1)"});
    if (!found->shared_with.empty())
        findings.push_back({Severity::note, "cgroup.shared_hierarchy", "host",
                            "blkio is mounted together with " + found->shared_with.front(),
                            "a process that is given a cgroup of its own leaves those limits too: only with --adopt",
                            "mount blkio by itself"});
}

// v2: what the root passes on, the cgroups below can have.
void check_delegation(const Hierarchy& hierarchy, Findings& findings) {
    if (hierarchy.version == CgroupVersion::v1) return;
    const auto passed = read_line(hierarchy.mount_point + "/cgroup.subtree_control");
    if (!passed || (" " + *passed + " ").find(" io ") != std::string::npos) return;
    findings.push_back(
        {Severity::note, "cgroup.io_not_delegated", "host",
         fmt::format("{}/cgroup.subtree_control is '{}'", hierarchy.mount_point, *passed),
         "no cgroup has io.max or io.weight yet; 'set' turns the controller on down to the instance, and "
         "'systemctl daemon-reload' may turn it off again",
         "give the instance's unit an I/O setting, for example IOWeight=100, so that systemd keeps it on"});
}

struct Feature {
    std::string_view option;
    std::string_view effect;
};

// The kernel's own word where its build left it, and the files that it shows.
void check_kernel(const Result<Hierarchy>& hierarchy, Findings& findings) {
    const KernelOptions options{Roots{}};
    static constexpr std::array features{
        Feature{"CONFIG_BLK_CGROUP", "no cgroup can limit block I/O"},
        Feature{"CONFIG_BLK_DEV_THROTTLING", "cgroups have no rate limits: only weights and QEMU's own limiter"},
        Feature{"CONFIG_IOSCHED_BFQ", "weights act only through iocost, which cgroup v1 does not have"},
        Feature{"CONFIG_BFQ_GROUP_IOSCHED", "BFQ does not look at cgroups: weights do not act through it"},
        Feature{"CONFIG_BLK_CGROUP_IOCOST", "weights act only where BFQ is the scheduler"},
    };
    for (const auto& feature : features)
        if (options.state(feature.option) == OptionState::off)
            findings.push_back({feature.option == "CONFIG_BLK_CGROUP" ? Severity::error : Severity::warning,
                                "kernel.option", "host",
                                fmt::format("{} is off in {}", feature.option, options.source()),
                                std::string{feature.effect}, "use a kernel that is built with it"});
    if (!hierarchy || options.state("CONFIG_BLK_DEV_THROTTLING") != OptionState::unknown) return;
    // v1 shows its files in the root cgroup, v2 (cgroup-v2.rst) in every other one that has the controller.
    if (hierarchy->version == CgroupVersion::v1 &&
        ::access((hierarchy->mount_point + "/blkio.throttle.write_bps_device").c_str(), F_OK) != 0)
        findings.push_back({Severity::warning, "kernel.option", "host",
                            hierarchy->mount_point + "/blkio.throttle.write_bps_device is not there",
                            "cgroups have no rate limits: only weights and QEMU's own limiter",
                            "use a kernel that is built with CONFIG_BLK_DEV_THROTTLING"});
    if (hierarchy->version == CgroupVersion::v2 &&
        ::access((hierarchy->mount_point + "/io.cost.qos").c_str(), F_OK) != 0)
        findings.push_back({Severity::note, "kernel.option", "host",
                            hierarchy->mount_point + "/io.cost.qos is not there",
                            "weights act only where BFQ is the scheduler",
                            "use a kernel that is built with CONFIG_BLK_CGROUP_IOCOST"});
}

void check_plugins(PluginSet& plugins, Findings& findings) {
    if (plugins.entries().empty())
        findings.push_back({Severity::error, "plugins.none", "host", "no plugin was found", "no instance can be seen",
                            "install a plugin, or give its directory with --plugin-dir"});
    for (const auto& entry : plugins.entries())
        if (const auto plugin = plugins.get(entry); !plugin)
            findings.push_back({Severity::error, "plugins.load", printable(entry.manifest.id), plugin.error().text(),
                                "its instances cannot be seen", plugin.error().next()});
}

} // namespace

void check_host(Inventory& inventory, Findings& findings) {
    const auto& hierarchy = inventory.hierarchy();
    check_privilege(findings);
    check_hierarchy(hierarchy, findings);
    check_kernel(hierarchy, findings);
    if (hierarchy) check_delegation(*hierarchy, findings);
    check_plugins(inventory.plugins(), findings);
}

} // namespace penstock
