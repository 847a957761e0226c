// SPDX-License-Identifier: Apache-2.0
#include "device_model.hpp"

#include <penstock/file.hpp>
#include <penstock/text.hpp>

namespace penstock::xen {

namespace {

constexpr std::size_t command_line_cap = 65536;

std::optional<sdk::ProcessStat> user_process(int proc, int pid) {
    if (pid <= 1) return std::nullopt;
    auto stat = sdk::read_process_stat(proc, pid);
    if (!stat || stat->ended() || stat->kernel_thread) return std::nullopt;
    return stat;
}

} // namespace

std::optional<sdk::ProcessStat> find_device_model(int proc, int pid, std::uint32_t domid) {
    auto stat = user_process(proc, pid);
    const auto command = sdk::read_file(proc, (std::to_string(pid) + "/cmdline").c_str(), command_line_cap);
    if (!stat || !command) return std::nullopt;
    const auto words = sdk::split(*command, '\0');
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == "-xen-domid" && sdk::number<std::uint32_t>(words[i + 1]) == domid) return stat;
    }
    return std::nullopt;
}

std::optional<sdk::ProcessStat> find_tapdisk(int proc, int pid) {
    auto stat = user_process(proc, pid);
    return stat && stat->comm.starts_with("tapdisk") ? stat : std::nullopt;
}

} // namespace penstock::xen
