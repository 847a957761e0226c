// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

enum class Isolation : std::uint8_t { in_process, process };

// What the host gives to its plugins. The functions may be called from any thread.
struct HostOptions {
    std::string proc_root = "/proc", sys_root = "/sys", run_root = "/run";
    std::function<void(std::uint32_t level, std::string_view plugin, std::string_view message)> log; // PENSTOCK_LOG_*
    std::function<std::optional<std::string>(std::string_view plugin, std::string_view key)> config;
    // Where a plugin runs; nothing: all in this process. `process` needs the program that holds it.
    std::function<Isolation(std::string_view plugin)> isolation;
    std::string plugin_host; // path of penstock-plugin-host
};

} // namespace penstock
