// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/roots.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

enum class OptionState : std::uint8_t { unknown, off, module, built_in };

// The options that the running kernel was built with, as its build wrote them down.
class KernelOptions {
public:
    // /proc/config.gz, the kernel's own word; else /boot/config-RELEASE, or what lies beside the modules.
    explicit KernelOptions(const Roots& roots);
    // `text` of such a file.
    explicit KernelOptions(std::string text) : text_{std::move(text)} {}

    const std::string& source() const { return source_; } // empty: none was found
    OptionState state(std::string_view option) const;     // "CONFIG_BLK_DEV_THROTTLING"

private:
    std::string source_;
    std::string text_;
};

} // namespace penstock
