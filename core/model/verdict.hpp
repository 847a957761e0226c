// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace penstock {

// enforced: read back as wanted, and it acts. ineffective: set, but does not act. unsupported: no engine can do it.
// drifted: someone changed or removed it. failed: it could not be set or read.
enum class VerdictKind : std::uint8_t { enforced, ineffective, unsupported, drifted, failed };

struct Verdict {
    VerdictKind kind = VerdictKind::failed;
    std::string reason; // also of `enforced` where the limit does not cover all I/O
    std::string remedy; // what the reader can do about it
    bool operator==(const Verdict&) const = default;
};

} // namespace penstock
