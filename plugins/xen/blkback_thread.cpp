// SPDX-License-Identifier: Apache-2.0
#include "blkback_thread.hpp"

#include <penstock/file.hpp>
#include <penstock/text.hpp>

namespace penstock::xen {

namespace {

constexpr std::size_t comm_max = 15; // TASK_COMM_LEN without its NUL
constexpr std::size_t thread_cap = 100'000;

} // namespace

std::optional<BlkbackName> parse_blkback_name(std::string_view comm) {
    BlkbackName name;
    name.cut = comm.size() >= comm_max;
    constexpr std::string_view old = "blkback.";
    const bool old_name = comm.starts_with(old);
    if (old_name) comm.remove_prefix(old.size());
    const auto dot = comm.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto domid = sdk::number<std::uint32_t>(comm.substr(0, dot));
    comm.remove_prefix(dot + 1);
    const auto dash = comm.rfind('-');
    if (dash != std::string_view::npos) {
        const auto ring = comm.substr(dash + 1);
        if (ring.empty() ? !name.cut : !sdk::number<std::uint32_t>(ring)) return std::nullopt;
        name.cut = false; // at most in the ring's number
        comm = comm.substr(0, dash);
    } else if (!old_name && !name.cut)
        return std::nullopt;
    if (!domid || comm.empty()) return std::nullopt;
    name.domid = *domid;
    name.dev = comm;
    return name;
}

std::vector<BlkbackThread> find_blkback_threads(int proc) {
    constexpr int kthreadd = 2;
    std::vector<BlkbackThread> threads;
    sdk::for_each_entry(proc, [&](const char* entry, unsigned char) {
        const auto pid = sdk::number<int>(entry);
        if (!pid) return true;
        auto stat = sdk::read_process_stat(proc, *pid);
        if (!stat || !stat->kernel_thread || stat->parent != kthreadd || stat->ended()) return true;
        if (auto name = parse_blkback_name(stat->comm)) threads.push_back({*std::move(stat), *std::move(name)});
        return threads.size() < thread_cap;
    });
    return threads;
}

std::vector<const Vbd*> served_by(const BlkbackThread& thread, std::uint32_t domid, const std::vector<Vbd>& disks) {
    std::vector<const Vbd*> exact, possible;
    if (thread.name.domid != domid) return exact;
    for (const auto& disk : disks) {
        if (!disk.by_blkback()) continue;
        if (disk.dev == thread.name.dev) exact.push_back(&disk);
        if (disk.dev.starts_with(thread.name.dev)) possible.push_back(&disk);
    }
    // "blkback.123.xvd" is "xvda" as well as "xvdb"; a whole name is one disk's.
    return thread.name.cut ? possible : exact;
}

} // namespace penstock::xen
