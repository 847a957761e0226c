// SPDX-License-Identifier: Apache-2.0
// penstock-plugin-host: holds one plugin for a penstock that has started it, with its socket as descriptor 3.
#include "plugin_host/server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

using namespace penstock;

namespace {

constexpr int socket_number = 3;

void limit(int what, rlim_t value) {
    const rlimit limits{value, value};
    (void)::setrlimit(static_cast<__rlimit_resource>(what), &limits);
}

// A plugin may do harm by accident, not without end.
void confine() {
    (void)::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 4096);
#ifndef __SANITIZE_ADDRESS__ // which takes terabytes of addresses
    limit(RLIMIT_AS, rlim_t{4} << 30);
#endif
}

// When the penstock ends, however it does, so does this: also while the plugin hangs.
void end_with_the_other_end() {
    std::thread{[] {
        pollfd closed{socket_number, POLLRDHUP, 0};
        while (::poll(&closed, 1, -1) < 0) {
        }
        ::sleep(1); // in which the plugin may end in good order
        ::_exit(0);
    }}.detach();
}

} // namespace

int main() {
    struct stat status {};
    if (::fstat(socket_number, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        fmt::print(stderr,
                   "penstock-plugin-host: this is started by penstock, to hold a plugin; it has no use by itself\n");
        return 2;
    }
    confine();
    end_with_the_other_end();
    PluginServer server{Fd{socket_number}};
    return server.run();
}
