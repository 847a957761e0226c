// SPDX-License-Identifier: Apache-2.0
#include "container_view.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace penstock::lxc {

namespace {

#ifndef STATX_MNT_ID
constexpr unsigned STATX_MNT_ID = 0x1000;
#endif

FileFacts from(const struct statx& facts) {
    return {facts.stx_dev_major,
            facts.stx_dev_minor,
            facts.stx_rdev_major,
            facts.stx_rdev_minor,
            (facts.stx_mask & STATX_MNT_ID) != 0 ? facts.stx_mnt_id : 0,
            S_ISDIR(facts.stx_mode),
            S_ISREG(facts.stx_mode),
            S_ISBLK(facts.stx_mode)};
}

constexpr int stat_flags = AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
constexpr unsigned stat_mask = STATX_TYPE | STATX_MNT_ID;

} // namespace

ContainerView::ContainerView(const Directory& init, const Directory& monitor)
    : root_{init.open("root")}, host_{monitor ? monitor.open("root") : Directory{}} {}

Views ContainerView::views() const {
    Views views;
    views.container = [this](const std::string& path) -> std::optional<FileFacts> {
        const auto file = root_ ? root_.open_beneath(path) : Directory{};
        struct statx facts {};
        if (!file || ::statx(file.fd(), "", AT_EMPTY_PATH | stat_flags, stat_mask, &facts) != 0) return std::nullopt;
        return from(facts);
    };
    // Symbolic links are followed here (/dev/mapper/x is one): only names that LXC or the kernel chose come this way.
    views.host = [this](const std::string& path) -> std::optional<FileFacts> {
        if (!host_ || !path.starts_with('/')) return std::nullopt;
        struct statx facts {};
        if (::statx(host_.fd(), ("." + path).c_str(), stat_flags, stat_mask, &facts) != 0) return std::nullopt;
        return from(facts);
    };
    return views;
}

} // namespace penstock::lxc
