// SPDX-License-Identifier: Apache-2.0
#include "guest_actors.hpp"

#include "qmp_session.hpp"
#include "threads.hpp"

#include <penstock/process.hpp>

#include <algorithm>

namespace penstock::kvm {

using namespace std::chrono_literals;

namespace {

constexpr auto asking_time = 300ms;

bool has_role(const std::vector<Thread>& threads, std::uint32_t role) {
    return std::any_of(threads.begin(), threads.end(), [&](const Thread& thread) { return thread.role == role; });
}

// With debug-threads=off all threads have the same name, and only QEMU can tell which is which.
void ask_for_threads(int proc, const Guest& guest, const Deadline& deadline, std::vector<Thread>& threads) {
    const GuestPaths paths{proc, guest.process.pid};
    std::optional<QmpClient> client;
    if (!open_qmp(proc, guest, paths, deadline, asking_time, client).ok()) return;
    const auto take = [&](const char* command, std::uint32_t role) {
        boost::json::value found;
        if (!client->execute(command, {}, deadline, found).ok()) return;
        for (const auto& entry : array_of(found)) {
            const auto tid = std::to_string(number_of(entry, "thread-id"));
            // Below this process's own tasks: an answer names no thread of another process.
            const auto stat =
                sdk::read_process_stat(proc, (std::to_string(guest.process.pid) + "/task/" + tid + "/stat").c_str());
            if (stat && stat->pid != guest.process.pid)
                threads.push_back({*stat, guest.process.pid, role,
                                   role == PENSTOCK_ROLE_IOTHREAD ? std::string{text_of(entry, "id")} : ""});
        }
    };
    take("query-iothreads", PENSTOCK_ROLE_IOTHREAD);
    take("query-cpus-fast", PENSTOCK_ROLE_VCPU);
}

// Targets that an iothread serves; empty where its name or its disks are not known.
std::vector<penstock_str> served_by(const Thread& thread, const std::vector<Disk>& disks) {
    std::vector<penstock_str> targets;
    if (thread.iothread.empty()) return targets;
    for (const auto& disk : disks) {
        if (std::find(disk.iothreads.begin(), disk.iothreads.end(), thread.iothread) != disk.iothreads.end())
            targets.push_back(sdk::str(disk.target));
    }
    return targets;
}

} // namespace

sdk::Status emit_actors(int proc, const Guest& guest, bool managed, const std::vector<Disk>& disks,
                        const Deadline& deadline, const sdk::Sink<penstock_actor>& sink) {
    auto threads = find_threads(proc, guest);
    if (!guest.command.iothreads.empty() && !guest.command.debug_threads && !has_role(threads, PENSTOCK_ROLE_IOTHREAD))
        ask_for_threads(proc, guest, deadline.at_most(asking_time), threads);
    if (!is_alive(proc, guest))
        return {PENSTOCK_E_GONE, "QEMU process " + std::to_string(guest.process.pid) + " has ended"};

    const auto emit_thread = [&](const Thread& thread) {
        const auto targets = served_by(thread, disks);
        penstock_actor record{};
        record.role = thread.role;
        record.pid = thread.pid;
        record.tid = thread.stat.pid;
        record.start_time = thread.stat.start;
        record.exclusive = PENSTOCK_ANSWER_YES;
        // libvirt owns the cgroups of its guests and puts threads back where it wants them.
        record.movable = managed ? PENSTOCK_ANSWER_NO : PENSTOCK_ANSWER_YES;
        // A kernel thread may refuse.
        if (thread.role == PENSTOCK_ROLE_VHOST && !managed) record.movable = PENSTOCK_ANSWER_UNKNOWN;
        record.disk_count = static_cast<std::uint32_t>(targets.size());
        record.disk_stride = sizeof(penstock_str);
        record.disks = targets.data();
        record.name = sdk::str(thread.stat.comm);
        return sink(record);
    };
    if (!emit_thread({guest.process, guest.process.pid, PENSTOCK_ROLE_EMULATOR, {}})) return {};
    for (const auto& thread : threads) {
        if (!emit_thread(thread)) return {};
    }
    return {};
}

} // namespace penstock::kvm
