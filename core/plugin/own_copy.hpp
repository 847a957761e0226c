// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/record_text.hpp"
#include "plugin/sized.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace penstock {

// A record of a plugin as our version of the struct, or MALFORMED.
template <class Record>
Result<Record> own_copy(const Record* record) {
    if (record == nullptr) return malformed_record("it is NULL");
    Record own;
    if (!copy_sized(own, record))
        return malformed_record(fmt::format("its size is {}, and must be from {} to {}", record->struct_size,
                                            size_1_0<Record>, PENSTOCK_STRUCT_MAX));
    return own;
}

// Enumerators of the model count as those of the contract do, with 0 for "unknown".
template <class Enum>
Enum enumerated(std::uint32_t value, Enum last) {
    return value <= static_cast<std::uint32_t>(last) ? static_cast<Enum>(value) : Enum{};
}

} // namespace penstock
