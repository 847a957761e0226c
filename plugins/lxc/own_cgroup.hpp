// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "container.hpp"
#include "process.hpp"

namespace penstock::lxc {

// The cgroup that holds the container and nothing else, in the hierarchy of block I/O. Empty: there is none, because
// LXC could not make one (a plain user without delegation), or because someone only pretends to be a container.
std::string own_cgroup(const Processes& processes, const Container& container);

} // namespace penstock::lxc
