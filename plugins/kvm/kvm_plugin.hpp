// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain_files.hpp"
#include "guest.hpp"
#include "libvirt_tune.hpp"
#include "libvirt_worker.hpp"

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>

#include <string>

namespace penstock::kvm {

class KvmPlugin {
public:
    // PARALLEL: a guest that does not answer costs its own caller time, and nobody else's.
    static constexpr sdk::Info info{.id = "org.penstock.kvm",
                                    .name = "KVM and QEMU virtual machines",
                                    .vendor = "Penstock",
                                    .version = "0.1.0",
                                    .kind = "kvm",
                                    .thread_model = PENSTOCK_THREADS_PARALLEL,
                                    .needs = PENSTOCK_NEEDS_ROOT};

    explicit KvmPlugin(sdk::Host host);

    sdk::Status probe(const sdk::Call& call, sdk::Sink<penstock_probe> sink);
    sdk::Status enumerate_instances(const sdk::Call& call, sdk::Sink<penstock_instance> sink);
    sdk::Status enumerate_disks(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_disk> sink);
    sdk::Status enumerate_actors(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_actor> sink);

    sdk::Status native_support(const sdk::Call& call, const sdk::Key& key, std::string_view disk,
                               sdk::Sink<penstock_limit_support> sink);
    sdk::Status native_read(const sdk::Call& call, const sdk::Key& key, std::string_view disk,
                            sdk::Sink<penstock_limits> sink);
    sdk::Status native_apply(const sdk::Call& call, const sdk::Key& key, std::string_view disk,
                             const penstock_limits& wanted, sdk::Sink<penstock_limits> sink);
    sdk::Status native_clear(const sdk::Call& call, const sdk::Key& key, std::string_view disk, std::uint64_t mask,
                             sdk::Sink<penstock_limits> sink);

private:
    // The QEMU of one incarnation; GONE where it is another process, or none.
    sdk::Status find(const sdk::Key& key, Guest& guest) const;
    sdk::Status change(const sdk::Call& call, const sdk::Key& key, std::string_view disk, const Change& change,
                       sdk::Sink<penstock_limits> sink);

    DomainFiles domain_files() const { return DomainFiles{run_}; }

    sdk::Host host_;
    sdk::Fd proc_;
    std::string run_;
    LibvirtWorker libvirt_;
};

} // namespace penstock::kvm
