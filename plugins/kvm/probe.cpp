// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include "guests.hpp"
#include "libvirt_library.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

namespace penstock::kvm {

namespace {

// libvirt.so.0 -> libvirt.so.0.9000.0: libvirt 9.0.0.
std::string version_of(const std::string& library) {
    const std::unique_ptr<char, decltype(&std::free)> real{::realpath(library.c_str(), nullptr), &std::free};
    if (!real) return {};
    const auto parts = sdk::split(real.get(), '.');
    if (parts.size() < 2) return {};
    const auto number_part = sdk::number<unsigned>(parts[parts.size() - 2]);
    const auto release = sdk::number<unsigned>(parts.back());
    if (!number_part || !release) return {};
    return std::to_string(*number_part / 1000) + "." + std::to_string(*number_part % 1000) + "." +
           std::to_string(*release);
}

} // namespace

std::vector<ProbeLine> probe_host(int proc, const DomainFiles& files, const Deadline& deadline) {
    const auto guests = find_guests(proc, [&] { return !deadline.passed(); });
    const auto with_socket = std::count_if(guests.begin(), guests.end(),
                                           [](const Guest& guest) { return !guest.command.qmp_paths.empty(); });
    const auto managed =
        std::count_if(guests.begin(), guests.end(), [&](const Guest& guest) { return files.head(guest).has_value(); });

    ProbeLine qemu{.component = "qemu"};
    qemu.status = guests.empty() ? PENSTOCK_PROBE_ABSENT : PENSTOCK_PROBE_PRESENT;
    qemu.detail = std::to_string(guests.size()) + " running";
    ProbeLine qmp{.component = "qmp"};
    qmp.status = with_socket == 0 ? PENSTOCK_PROBE_ABSENT : PENSTOCK_PROBE_PRESENT;
    qmp.detail = std::to_string(with_socket) + " with a QMP socket";

    ProbeLine libvirt{.component = "libvirt"};
    const auto library = find_libvirt_library();
    libvirt.version = library.empty() ? "" : version_of(library);
    if (!files.has_socket()) {
        libvirt.detail = managed == 0 ? "no socket: not running"
                                      : "its daemon is not running, but " + std::to_string(managed) +
                                            " of its domains are: start it to reach QEMU's limiter";
        libvirt.status = managed == 0 ? PENSTOCK_PROBE_ABSENT : PENSTOCK_PROBE_BROKEN;
    } else if (library.empty()) {
        libvirt.status = PENSTOCK_PROBE_BROKEN;
        libvirt.detail = "its socket is there, but libvirt.so.0 is not: install libvirt0";
    } else {
        libvirt.status = PENSTOCK_PROBE_PRESENT;
        libvirt.detail = std::to_string(managed) + " domains running, library " + library;
    }
    return {std::move(qemu), std::move(qmp), std::move(libvirt)};
}

} // namespace penstock::kvm
