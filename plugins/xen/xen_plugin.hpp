// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blkback_thread.hpp"
#include "domain.hpp"
#include "store.hpp"
#include "vbd.hpp"

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace penstock::xen {

class XenPlugin {
public:
    // SERIAL: all calls ask the same xenstored, which answers one question at a time anyhow.
    static constexpr sdk::Info info{.id = "org.penstock.xen",
                                    .name = "Xen domains",
                                    .vendor = "Penstock",
                                    .version = "0.1.0",
                                    .kind = "xen",
                                    .thread_model = PENSTOCK_THREADS_SERIAL,
                                    .needs = PENSTOCK_NEEDS_ROOT};

    explicit XenPlugin(sdk::Host host);

    sdk::Status probe(const sdk::Call& call, sdk::Sink<penstock_probe> sink);
    sdk::Status enumerate_instances(const sdk::Call& call, sdk::Sink<penstock_instance> sink);
    sdk::Status enumerate_disks(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_disk> sink);
    sdk::Status enumerate_actors(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_actor> sink);

private:
    // What has been found in one round.
    struct Round {
        std::uint64_t generation = 0;
        std::optional<Host> host;
        std::map<std::uint32_t, DomainDisks> disks; // by domid
        std::optional<std::vector<BlkbackThread>> threads;
    };

    void start_round(const sdk::Call& call);
    sdk::Status read_host_once(const sdk::Call& call);
    // The domain of one incarnation, and its disks; GONE where it has ended.
    sdk::Status find(const sdk::Call& call, const sdk::Key& key, const Domain*& domain, const DomainDisks*& disks);
    const std::vector<BlkbackThread>& threads();
    std::string name_of_backend(std::uint32_t domid) const;

    sdk::Fd proc_, sys_;
    Store store_;
    Round round_;
};

} // namespace penstock::xen
