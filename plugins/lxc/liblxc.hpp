// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace penstock::lxc {

// What is found of LXC's library when it is opened here and now. The plugin is not linked to it, so that a host without
// LXC loads the plugin; and only a probe opens it, because that costs a millisecond and nothing else needs it.
struct Liblxc {
    enum class State { present, absent, broken } state = State::absent;
    std::string version; // "5.0.2"
    std::string lxcpath; // where containers are by default
    std::string detail;
};

Liblxc find_liblxc(const char* file = "liblxc.so.1");

} // namespace penstock::lxc
