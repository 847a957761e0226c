// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"

#include <sys/types.h>

#include <string>

namespace penstock {

// Whose files are believed besides root's.
struct TrustPolicy {
    uid_t owner = 0;

    // The caller's own, where the caller is a plain user: who runs a command may run code of his own with it. Root's
    // only, where the process has more rights than whoever started it could have: root, set-uid, set-gid, file
    // capabilities.
    static TrustPolicy of_caller();
};

// A directory that nobody but its owner can change: it and every directory on the way to it belong to root or to the
// policy's owner, and are not writable for group or others. /tmp is not such a directory, in spite of its sticky bit.
// The path is absolute and real: symbolic links are not followed. DENIED names the first place that cannot be trusted.
class TrustedDirectory {
public:
    static Result<TrustedDirectory> open(const std::string& path, TrustPolicy policy = TrustPolicy::of_caller());

    // A regular file in it, of which the same holds. The descriptor is the one that was checked: what is read or loaded
    // afterwards must come from it.
    Result<Fd> open_file(const std::string& name) const;

    // An O_PATH descriptor.
    int fd() const { return fd_.get(); }

private:
    TrustedDirectory(Fd fd, std::string path, TrustPolicy policy);

    Fd fd_;
    std::string path_;
    TrustPolicy policy_;
};

// Both in one.
Result<Fd> open_trusted(const std::string& path, TrustPolicy policy = TrustPolicy::of_caller());

} // namespace penstock
