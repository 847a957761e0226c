// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cgroup.hpp"
#include "container.hpp"
#include "process.hpp"

#include <penstock/plugin.hpp>

namespace penstock::lxc {

class LxcPlugin {
public:
    static constexpr sdk::Info info{.id = "org.penstock.lxc",
                                    .name = "LXC containers",
                                    .vendor = "Penstock",
                                    .version = "0.1.0",
                                    .kind = "lxc",
                                    .thread_model = PENSTOCK_THREADS_PARALLEL,
                                    .needs = PENSTOCK_NEEDS_ROOT};

    explicit LxcPlugin(sdk::Host host);

    sdk::Status probe(const sdk::Call& call, sdk::Sink<penstock_probe> sink);
    sdk::Status enumerate_instances(const sdk::Call& call, sdk::Sink<penstock_instance> sink);
    sdk::Status enumerate_disks(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_disk> sink);
    sdk::Status enumerate_actors(const sdk::Call& call, const sdk::Key& key, sdk::Sink<penstock_actor> sink);

private:
    struct Target;
    sdk::Status find(const sdk::Key& key, Target& target) const;
    std::vector<Container> discover(const CgroupMounts& mounts) const;
    CgroupMounts cgroup_mounts() const;

    sdk::Host host_;
    Processes processes_;
    bool nested_ = true;
};

} // namespace penstock::lxc
