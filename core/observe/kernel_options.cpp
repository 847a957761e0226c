// SPDX-License-Identifier: Apache-2.0
#include "observe/kernel_options.hpp"

#include "sys/file.hpp"

#include <zlib.h>

#include <memory>

namespace penstock {
namespace {

struct CloseGzip {
    void operator()(gzFile file) const { gzclose(file); }
};

// What a file that gzip has written holds, plain text as it is; empty where it cannot be read, or is too long.
std::string unpacked(const std::string& path) {
    const std::unique_ptr<gzFile_s, CloseGzip> file{gzopen(path.c_str(), "re")};
    std::string text, part(1U << 16, '\0');
    int got = 0;
    while (file && (got = gzread(file.get(), part.data(), static_cast<unsigned>(part.size()))) > 0) {
        text.append(part, 0, static_cast<std::size_t>(got));
        if (text.size() > file_size_cap) return {};
    }
    return got < 0 ? std::string{} : text;
}

} // namespace

KernelOptions::KernelOptions(const Roots& roots) {
    source_ = roots.proc + "/config.gz";
    text_ = unpacked(source_);
    if (!text_.empty()) return;
    source_.clear();
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
