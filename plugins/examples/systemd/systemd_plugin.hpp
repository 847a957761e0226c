// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit.hpp"

#include <penstock/plugin.hpp>

#include <optional>
#include <string>

namespace systemd {

// Each service and scope of the host is an instance, and the file systems that its processes see are its disks.
class SystemdPlugin {
public:
    static constexpr penstock::sdk::Info info{.id = "org.penstock.example.systemd",
                                              .name = "systemd units",
                                              .vendor = "Penstock",
                                              .version = "1.0.0",
                                              .kind = "systemd",
                                              .thread_model = PENSTOCK_THREADS_PARALLEL,
                                              .needs = PENSTOCK_NEEDS_ROOT};

    explicit SystemdPlugin(penstock::sdk::Host host) : sys_{host.sys_root()}, proc_{host.proc_root()} {}

    penstock::sdk::Status probe(const penstock::sdk::Call& call, penstock::sdk::Sink<penstock_probe> emit);
    penstock::sdk::Status enumerate_instances(const penstock::sdk::Call& call,
                                              penstock::sdk::Sink<penstock_instance> emit);
    penstock::sdk::Status enumerate_disks(const penstock::sdk::Call& call, const penstock::sdk::Key& key,
                                          penstock::sdk::Sink<penstock_disk> emit);
    penstock::sdk::Status enumerate_actors(const penstock::sdk::Call& call, const penstock::sdk::Key& key,
                                           penstock::sdk::Sink<penstock_actor> emit);

private:
    // GONE where this incarnation of the unit has ended.
    penstock::sdk::Status find(const penstock::sdk::Key& key, std::optional<Unit>& found) const;

    std::string sys_, proc_;
};

} // namespace systemd
