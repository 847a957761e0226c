// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "libvirt_library.hpp"

#include <penstock/plugin.hpp>

#include <functional>
#include <memory>
#include <string>

namespace penstock::kvm {

// Runs libvirt's calls on a thread of their own. libvirt has no timeouts: with a daemon that hangs, each call blocks
// for good, and a thread in it holds libvirt's locks and must never be killed. So the caller waits until its deadline
// and leaves; the one thread stays behind until the daemon answers, and what was not begun by then is not done any
// more.
class LibvirtWorker {
public:
    using Job = std::function<sdk::Status(const LibvirtLibrary&, virConnectPtr)>;

    explicit LibvirtWorker(std::string uri);
    ~LibvirtWorker();
    LibvirtWorker(const LibvirtWorker&) = delete;
    LibvirtWorker& operator=(const LibvirtWorker&) = delete;

    // The job may still run when this has returned TIMEOUT: it must own all that it uses.
    sdk::Status run(Job job, const Deadline& deadline);

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace penstock::kvm
