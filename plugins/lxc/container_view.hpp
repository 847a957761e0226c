// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directory.hpp"
#include "mount_disks.hpp"

namespace penstock::lxc {

// Looks at paths through the root directories of two processes.
class ContainerView {
public:
    // init and monitor: their /proc directories. The monitor lives where LXC mounts things from.
    ContainerView(const Directory& init, const Directory& monitor);

    const Directory& root() const noexcept { return root_; }
    Views views() const;

private:
    Directory root_;
    Directory host_;
};

} // namespace penstock::lxc
