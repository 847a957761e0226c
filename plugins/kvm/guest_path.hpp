// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record.hpp"

#include <penstock/file.hpp>

#include <string>

namespace penstock::kvm {

// Paths as one process sees them: below its root directory, relative ones below its working directory.
class GuestPaths {
public:
    GuestPaths(int proc, int pid);

    std::string absolute(std::string_view path) const;
    // An O_PATH descriptor; no symbolic link leads out of the process's root. errno tells why not.
    sdk::Fd open(std::string_view path) const;
    // Makes the layer's path absolute and adds the numbers of its inode, if it has a path.
    void locate(sdk::OwnedLayer& layer) const;

private:
    std::string find_open(std::string_view path) const;

    sdk::Fd root_;
    sdk::Fd descriptors_;
    std::string working_directory_;
};

} // namespace penstock::kvm
