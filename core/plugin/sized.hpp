// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.h>

#include <algorithm>
#include <cstring>

namespace penstock {

// Copies a struct of another version: as much as both know, the rest zero. `least` is the size in contract 1.0. False
// where the size is not believable.
template <class T>
bool copy_sized(T& own, const T* theirs, std::size_t least) {
    if (theirs == nullptr || theirs->struct_size < least || theirs->struct_size > PENSTOCK_STRUCT_MAX) return false;
    std::memset(&own, 0, sizeof own);
    std::memcpy(&own, theirs, std::min<std::size_t>(sizeof own, theirs->struct_size));
    return true;
}

} // namespace penstock
