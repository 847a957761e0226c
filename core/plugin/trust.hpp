// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"

#include <sys/types.h>

#include <string>

namespace penstock {

// Whose files a plugin may be loaded from, besides root's: the caller's own where the caller is not root. A process of
// root runs root's files only.
struct TrustPolicy {
    uid_t owner;
    static TrustPolicy of_caller();
};

// Opens a file that nobody but its owner can have written: it and every directory on the way to it belong to root or to
// the policy's owner and are not writable for group or others. The descriptor that is returned is the one that was
// checked; what is loaded afterwards must be loaded through it. DENIED names the first place that cannot be trusted.
Result<Fd> open_trusted(const std::string& path, TrustPolicy policy = TrustPolicy::of_caller());

} // namespace penstock
