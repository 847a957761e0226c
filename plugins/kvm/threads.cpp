// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <penstock/file.hpp>
#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::kvm {

namespace {

constexpr std::size_t thread_cap = 8192;
constexpr std::size_t comm_size = 15; // what the kernel keeps of a name

bool uses_vhost(const CommandLine& command) {
    return std::any_of(command.devices.begin(), command.devices.end(),
                       [](const Options& device) { return device.get("driver").starts_with("vhost-scsi"); });
}

} // namespace

std::uint32_t role_of(std::string_view comm, int pid) {
    // mon_iothread serves monitors and no disk.
    if (comm.starts_with("IO ")) return comm == "IO mon_iothread" ? PENSTOCK_ROLE_UNKNOWN : PENSTOCK_ROLE_IOTHREAD;
    if (comm.starts_with("CPU ") && comm.size() > 4 && comm[4] >= '0' && comm[4] <= '9') return PENSTOCK_ROLE_VCPU;
    if (comm == "vhost-" + std::to_string(pid)) return PENSTOCK_ROLE_VHOST;
    return PENSTOCK_ROLE_UNKNOWN;
}

std::vector<Thread> find_threads(int proc, const Guest& guest) {
    std::vector<Thread> threads;
    const int pid = guest.process.pid;
    const auto directory = std::to_string(pid) + "/task/";
    const auto tasks = sdk::open_directory(proc, directory.c_str());
    if (!tasks) return threads;
    sdk::for_each_entry(tasks.get(), [&](const char* name, unsigned char) {
        const auto tid = sdk::number<int>(name);
        if (!tid || *tid == pid) return true;
        const auto stat = sdk::read_process_stat(tasks.get(), (std::string{name} + "/stat").c_str());
        if (!stat || stat->ended()) return true;
        Thread thread{*stat, pid, role_of(stat->comm, pid), {}};
        if (thread.role != PENSTOCK_ROLE_UNKNOWN) threads.push_back(std::move(thread));
        return threads.size() < thread_cap;
    });
    // Before Linux 6.4 a vhost thread is a kernel thread of its own, named after the process that it works for.
    if (uses_vhost(guest.command)) {
        sdk::for_each_entry(proc, [&](const char* name, unsigned char) {
            const auto other = sdk::number<int>(name);
            const auto stat = other ? sdk::read_process_stat(proc, *other) : std::nullopt;
            if (stat && stat->parent == 2 && role_of(stat->comm, pid) == PENSTOCK_ROLE_VHOST)
                threads.push_back({*stat, *other, PENSTOCK_ROLE_VHOST, {}});
            return threads.size() < thread_cap;
        });
    }
    for (auto& thread : threads) {
        if (thread.role != PENSTOCK_ROLE_IOTHREAD) continue;
        const auto ids = iothreads_named(guest.command.iothreads, thread.stat.comm);
        if (ids.size() == 1) thread.iothread = ids.front();
    }
    std::sort(threads.begin(), threads.end(), [](const Thread& a, const Thread& b) { return a.stat.pid < b.stat.pid; });
    return threads;
}

std::vector<std::string> iothreads_named(const std::vector<std::string>& ids, std::string_view comm) {
    std::vector<std::string> found;
    for (const auto& id : ids) {
        if (("IO " + id).substr(0, comm_size) == comm) found.push_back(id);
    }
    return found;
}

} // namespace penstock::kvm
