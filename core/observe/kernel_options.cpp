// SPDX-License-Identifier: Apache-2.0
#include "observe/kernel_options.hpp"

#include "sys/file.hpp"

namespace penstock {

KernelOptions::KernelOptions(const Roots& roots) {
    const auto release = read_line(roots.proc + "/sys/kernel/osrelease");
    if (!release || release->find('/') != std::string::npos) return;
    for (const auto& path : {"/boot/config-" + *release, "/lib/modules/" + *release + "/config"})
        if (auto text = read_file(path)) {
            source_ = path;
            text_ = *std::move(text);
            return;
        }
}

OptionState KernelOptions::state(std::string_view option) const {
    if (text_.empty()) return OptionState::unknown;
    const auto line = "\n" + std::string{option} + "=";
    const auto at = ("\n" + text_).find(line);
    if (at == std::string::npos) return OptionState::off;
    const auto value = ("\n" + text_).substr(at + line.size(), 1);
    return value == "y" ? OptionState::built_in : value == "m" ? OptionState::module : OptionState::off;
}

} // namespace penstock
