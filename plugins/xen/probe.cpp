// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::xen {

namespace {

std::string line_of(int directory, const char* path) {
    const auto text = sdk::read_file(directory, path, 256);
    return text ? text->substr(0, text->find('\n')) : std::string{};
}

std::string version_of(int sys) {
    const auto major = line_of(sys, "hypervisor/version/major");
    if (major.empty()) return {};
    return major + "." + line_of(sys, "hypervisor/version/minor") + line_of(sys, "hypervisor/version/extra");
}

} // namespace

std::vector<ProbeLine> probe_host(int proc, int sys, Store& store, const sdk::Call& call) {
    // "control_d" stands for the control domain; in a guest the file is there and empty.
    const bool dom0 = line_of(proc, "xen/capabilities").find("control_d") != std::string::npos;
    const bool on_xen = dom0 || line_of(sys, "hypervisor/type") == "xen";
    ProbeLine xen{.component = "xen", .version = version_of(sys)};
    xen.status = dom0 ? PENSTOCK_PROBE_PRESENT : PENSTOCK_PROBE_ABSENT;
    xen.detail = dom0 ? "this is dom0" : on_xen ? "this is a guest of Xen, not dom0" : "this host does not run on Xen";

    ProbeLine xenstore{.component = "xenstore"};
    std::vector<std::optional<std::vector<std::string>>> listing;
    if (const auto status = store.list({"/local/domain"}, call, listing); status.ok()) {
        const auto names = listing[0].value_or(std::vector<std::string>{});
        const auto domains = std::count_if(names.begin(), names.end(), [](const std::string& name) {
            return sdk::number<std::uint32_t>(name).value_or(0) != 0;
        });
        xenstore.status = PENSTOCK_PROBE_PRESENT;
        xenstore.detail = std::to_string(domains) + " domains beside dom0, at " + store.socket();
    } else {
        const bool absent = status.code() == PENSTOCK_E_NOT_PRESENT && !dom0;
        xenstore.status = absent ? PENSTOCK_PROBE_ABSENT : PENSTOCK_PROBE_BROKEN;
        xenstore.detail = status.message();
        if (dom0 && status.code() == PENSTOCK_E_NOT_PRESENT)
            xenstore.detail = "this is a dom0, but xenstored cannot be reached at " + store.socket() +
                              ": start it ('systemctl start xenstored', or '/etc/init.d/xen start')";
    }
    return {std::move(xen), std::move(xenstore)};
}

} // namespace penstock::xen
