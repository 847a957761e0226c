// SPDX-License-Identifier: Apache-2.0
#include "open_images.hpp"

#include <penstock/file.hpp>
#include <penstock/text.hpp>

#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace penstock::xen {

namespace {

constexpr std::size_t descriptor_cap = 4096;

// "flags:\t0100002", octal: man proc_pid_fdinfo.
int flags_in(const std::string& fdinfo) {
    constexpr std::string_view key = "flags:\t";
    const auto at = fdinfo.find(key);
    if (at == std::string::npos) return O_RDONLY;
    const auto value = std::string_view{fdinfo}.substr(at + key.size());
    return sdk::number<int>(value.substr(0, value.find('\n')), 8).value_or(O_RDONLY);
}

} // namespace

std::vector<OpenImage> open_images(int proc, int pid) {
    std::vector<OpenImage> images;
    const auto process = sdk::open_directory(proc, std::to_string(pid).c_str());
    if (!process) return images;
    const auto descriptors = sdk::open_directory(process.get(), "fd");
    if (!descriptors) return images;
    std::size_t seen = 0;
    sdk::for_each_entry(descriptors.get(), [&](const char* number, unsigned char) {
        const auto path = sdk::read_link(descriptors.get(), number);
        if (!path || !path->starts_with('/')) return ++seen < descriptor_cap;
        struct stat status {};
        if (::fstatat(descriptors.get(), number, &status, 0) != 0) return ++seen < descriptor_cap;
        if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) {
            const auto info = sdk::read_file(process.get(), ("fdinfo/" + std::string{number}).c_str(), 4096);
            const int flags = info ? flags_in(*info) : O_RDONLY;
            images.push_back({*path,
                              (flags & O_ACCMODE) != O_RDONLY,
                              (flags & O_DIRECT) != 0,
                              S_ISBLK(status.st_mode),
                              {major(status.st_rdev), minor(status.st_rdev)}});
        }
        return ++seen < descriptor_cap;
    });
    return images;
}

} // namespace penstock::xen
