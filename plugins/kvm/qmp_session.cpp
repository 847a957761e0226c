// SPDX-License-Identifier: Apache-2.0
#include "qmp_session.hpp"

#include <penstock/file.hpp>
#include <penstock/process.hpp>

#include <thread>

namespace penstock::kvm {

using namespace std::chrono_literals;

bool is_alive(int proc, const Guest& guest) {
    const auto stat = sdk::read_process_stat(proc, guest.process.pid);
    return stat && stat->start == guest.process.start && !stat->ended();
}

sdk::Status concluded(int proc, const Guest& guest, sdk::Status status) {
    if (status.ok()) return status;
    // A process that ends closes its sockets a moment before it is seen to be gone.
    if (status.code() == PENSTOCK_E_MALFORMED && is_alive(proc, guest)) std::this_thread::sleep_for(20ms);
    if (!is_alive(proc, guest))
        return {PENSTOCK_E_GONE, "QEMU process " + std::to_string(guest.process.pid) + " has ended"};
    return status;
}

sdk::Status open_qmp(int proc, const Guest& guest, const GuestPaths& paths, const Deadline& deadline,
                     std::chrono::milliseconds patience, std::optional<QmpClient>& out) {
    if (guest.command.qmp_paths.empty())
        return {PENSTOCK_E_UNSUPPORTED,
                guest.command.control_fd
                    ? "its QMP monitor belongs to the program that started it"
                    : "it was started without a QMP socket: start it with -qmp unix:PATH,server=on,wait=off"};
    sdk::Status status;
    for (const auto& path : guest.command.qmp_paths) {
        sdk::Fd socket;
        status = connect_qmp(proc, guest, paths, path, socket);
        if (!status.ok()) continue;
        out.emplace(std::move(socket), paths.absolute(path));
        status = out->greet(deadline, patience);
        if (status.ok()) return status;
        out.reset();
        if (deadline.passed()) break;
    }
    return concluded(proc, guest, std::move(status));
}

} // namespace penstock::kvm
