// SPDX-License-Identifier: Apache-2.0
#include "limiter.hpp"

#include "block_query.hpp"
#include "qmp_session.hpp"

#include <algorithm>
#include <memory>

namespace penstock::kvm {

using namespace std::chrono_literals;

namespace {

constexpr auto greeting_patience = 2000ms; // longer than for a listing: somebody waits for this one answer

sdk::Status read_block(QmpClient& client, const std::string& qdev, const Deadline& deadline, BlockState& state) {
    boost::json::value blocks;
    if (auto status = client.execute("query-block", {}, deadline, blocks); !status.ok()) return status;
    auto found = find_block(blocks, qdev);
    if (!found) return {PENSTOCK_E_GONE, "QEMU has no disk " + qdev + " any more"};
    if (found->empty)
        return {PENSTOCK_E_UNSUPPORTED, "drive " + qdev + " holds no medium: QEMU limits media, not drives"};
    state = std::move(*found);
    return {};
}

} // namespace

sdk::Status Limiter::through_qmp(const Guest& guest, const std::string& qdev, const Change& change,
                                 const Deadline& deadline, Throttle& now) const {
    const GuestPaths paths{proc_, guest.process.pid};
    std::optional<QmpClient> client;
    if (auto status = open_qmp(proc_, guest, paths, deadline, greeting_patience, client); !status.ok()) return status;
    BlockState state;
    if (auto status = read_block(*client, qdev, deadline, state); !status.ok()) return status;
    if (change) {
        auto next = state.throttle;
        if (auto status = change(next); !status.ok()) return status;
        // Setting the same again would grant a new burst.
        if (next != state.throttle) {
            boost::json::value result;
            auto status = client->execute("block_set_io_throttle", throttle_arguments(qdev, next, state.own_group),
                                          deadline, result);
            if (!status.ok()) return status;
            if (status = read_block(*client, qdev, deadline, state); !status.ok()) return status;
        }
    }
    now = std::move(state.throttle);
    return {};
}

sdk::Status Limiter::through_libvirt(const Guest& guest, const std::string& target, const Change& change,
                                     const Deadline& deadline, Throttle& now) const {
    Domain domain;
    if (auto status = GuestDisks{proc_, files_, libvirt_}.domain(guest, deadline, domain); !status.ok()) return status;
    const auto disk =
        std::find_if(domain.disks.begin(), domain.disks.end(), [&](const Disk& d) { return d.native_id == target; });
    if (disk == domain.disks.end())
        return {PENSTOCK_E_GONE, "domain " + domain.name + " has no disk " + target + " any more"};
    if ((disk->flags & PENSTOCK_DISK_NATIVE_LIMIT) == 0)
        return {PENSTOCK_E_UNSUPPORTED, "disk " + target + " of domain " + domain.name + " cannot be limited by QEMU"};
    if (!files_.has_socket())
        return sdk::Status{PENSTOCK_E_BUSY,
                           "libvirt's daemon is not running, and only it reaches domain " + domain.name + ": start it"}
            .retry_after(1000ms);
    const auto effective = std::make_shared<Throttle>();
    const auto job = [effective, change, tuned = TunedDisk{domain.uuid, target, disk->alias}](
                         const LibvirtLibrary& library, virConnectPtr connection) {
        return tune_domain(library, connection, tuned, change, *effective);
    };
    if (auto status = libvirt_.run(job, deadline); !status.ok()) return status;
    now = *effective;
    return {};
}

sdk::Status Limiter::change(const Guest& guest, const std::string& native_id, const Change& change,
                            const Deadline& deadline, Throttle& now) const {
    auto status = files_.head(guest) ? through_libvirt(guest, native_id, change, deadline, now)
                                     : through_qmp(guest, native_id, change, deadline, now);
    return concluded(proc_, guest, std::move(status));
}

} // namespace penstock::kvm
