// SPDX-License-Identifier: Apache-2.0
#include "qmp_socket.hpp"

#include <penstock/process.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace penstock::kvm {

namespace {

using namespace std::chrono_literals;

constexpr int ancestor_cap = 64;

bool is_ancestor(int proc, const sdk::ProcessStat& process, int pid) {
    int parent = process.parent;
    for (int i = 0; i < ancestor_cap && parent > 1; ++i) {
        if (parent == pid) return true;
        const auto stat = sdk::read_process_stat(proc, parent);
        if (!stat) return false;
        parent = stat->parent;
    }
    return parent == pid;
}

sdk::Status refused(const std::string& path, int error) {
    const auto text = "connecting to the QMP socket " + path + ": " + std::strerror(error);
    switch (error) {
    case EAGAIN:
        return sdk::Status{PENSTOCK_E_BUSY, text + ": other clients wait for it already", error}.retry_after(1000ms);
    case EACCES:
    case EPERM: return {PENSTOCK_E_DENIED, text + ": run as root", error};
    case ENOENT:
    case ECONNREFUSED:
        return {PENSTOCK_E_UNSUPPORTED,
                text + ": the socket was removed or replaced; QEMU makes it anew when it restarts", error};
    default: return {PENSTOCK_E_UNSUPPORTED, text, error};
    }
}

} // namespace

sdk::Status connect_qmp(int proc, const Guest& guest, const GuestPaths& paths, const std::string& path, sdk::Fd& out) {
    const auto place = paths.open(path);
    if (!place && errno == ENOENT && !path.starts_with('/'))
        return {PENSTOCK_E_UNSUPPORTED,
                "the QMP socket " + path +
                    " has a relative name, and QEMU left that directory when it went "
                    "to the background: start it with an absolute path",
                ENOENT};
    if (!place) return refused(path, errno);
    // Non-blocking: with a full backlog connect() would wait for as long as the peer likes.
    sdk::Fd socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket) return refused(path, errno);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // Our own descriptor table, so the real /proc also where a captured one is injected; and sun_path is too short for
    // many a real path.
    std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", place.get());
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return refused(path, errno);

    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return refused(path, errno);
    // The peer is who called listen(): with a socket that was passed in it is the launcher, which may have ended.
    const bool trusted =
        peer.pid == guest.process.pid || is_ancestor(proc, guest.process, peer.pid) ||
        ((peer.pid == 0 || !sdk::read_process_stat(proc, peer.pid)) && (peer.uid == 0 || peer.uid == guest.uid));
    if (!trusted)
        return {PENSTOCK_E_DENIED, "the QMP socket " + path + " is served by process " + std::to_string(peer.pid) +
                                       ", not by QEMU process " + std::to_string(guest.process.pid) + ": not used"};
    out = std::move(socket);
    return {};
}

} // namespace penstock::kvm
