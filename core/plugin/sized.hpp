// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/contract_size.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace penstock {

template <class T>
constexpr bool believable(std::uint32_t size) {
    static_assert(size_1_0<T> != 0, "not a struct that a plugin hands over");
    return size >= size_1_0<T> && size <= PENSTOCK_STRUCT_MAX;
}

// Copies a struct of another version: as much as both know, the rest zero. False where its size is not believable.
template <class T>
bool copy_sized(T& own, const T* theirs) {
    if (theirs == nullptr || !believable<T>(theirs->struct_size)) return false;
    std::memset(&own, 0, sizeof own);
    std::memcpy(&own, theirs, std::min<std::size_t>(sizeof own, theirs->struct_size));
    return true;
}

// The element at `at` of an array whose elements are `stride` bytes apart, wherever it is aligned.
template <class T>
T element(const char* at, std::uint32_t stride) {
    T own;
    std::memset(&own, 0, sizeof own);
    std::memcpy(&own, at, std::min<std::size_t>(sizeof own, stride));
    return own;
}

} // namespace penstock
