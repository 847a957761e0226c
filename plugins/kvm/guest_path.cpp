// SPDX-License-Identifier: Apache-2.0
#include "guest_path.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

namespace penstock::kvm {

GuestPaths::GuestPaths(int proc, int pid) {
    const auto directory = std::to_string(pid);
    root_ = sdk::Fd{::openat(proc, (directory + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    descriptors_ = sdk::open_directory(proc, (directory + "/fd").c_str());
    working_directory_ = sdk::read_link(proc, (directory + "/cwd").c_str()).value_or("/");
    // The link is written as we see it; below a chroot its beginning is the process's root.
    const auto root = sdk::read_link(proc, (directory + "/root").c_str()).value_or("/");
    if (root != "/" && working_directory_.starts_with(root)) working_directory_.erase(0, root.size());
    if (!working_directory_.starts_with('/')) working_directory_.insert(0, "/");
}

std::string GuestPaths::absolute(std::string_view path) const {
    if (path.empty() || path.starts_with('/')) return std::string{path};
    return (working_directory_ == "/" ? "" : working_directory_) + "/" + std::string{path};
}

sdk::Fd GuestPaths::open(std::string_view path) const {
    if (!root_ || path.empty() || path.find('\0') != std::string_view::npos) {
        errno = root_ ? ENOENT : EACCES;
        return {};
    }
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    const auto name = absolute(path);
    return sdk::Fd{static_cast<int>(::syscall(SYS_openat2, root_.get(), name.c_str(), &how, sizeof how))};
}

// QEMU's -daemonize goes to "/" after it has opened its images, so that their relative names lead nowhere; its
// descriptors still tell where they are.
std::string GuestPaths::find_open(std::string_view path) const {
    const auto ending = "/" + std::string{path};
    std::string found;
    if (!descriptors_) return found;
    sdk::for_each_entry(descriptors_.get(), [&](const char* name, unsigned char) {
        const auto target = sdk::read_link(descriptors_.get(), name);
        if (target && target->starts_with('/') && target->ends_with(ending)) found = *target;
        return found.empty();
    });
    return found;
}

void GuestPaths::locate(sdk::OwnedLayer& layer) const {
    if (layer.path.empty()) return;
    auto fd = open(layer.path);
    if (!fd && !layer.path.starts_with('/')) {
        if (auto path = find_open(layer.path); !path.empty()) fd = open(layer.path = std::move(path));
    }
    layer.path = absolute(layer.path);
    struct stat inode {};
    if (!fd || ::fstat(fd.get(), &inode) != 0) return;
    if (S_ISBLK(inode.st_mode)) {
        layer.kind = PENSTOCK_LAYER_BLOCK;
        layer.flags |= PENSTOCK_LAYER_HAS_RDEV;
        layer.rdev_major = major(inode.st_rdev);
        layer.rdev_minor = minor(inode.st_rdev);
    } else if (S_ISREG(inode.st_mode)) {
        layer.kind = PENSTOCK_LAYER_FILE;
        layer.flags |= PENSTOCK_LAYER_HAS_ST_DEV;
        layer.st_dev_major = major(inode.st_dev);
        layer.st_dev_minor = minor(inode.st_dev);
    }
}

} // namespace penstock::kvm
