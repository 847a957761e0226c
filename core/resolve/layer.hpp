// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "resolve/backing_chain.hpp"
#include "sys/roots.hpp"

#include <string_view>

namespace penstock {

// The same chain with the limit on another device of it, whether or not it is the best one: its kernel name (sda), its
// device-mapper name (vg-lv) or its number (8:0). What a limit there would not cover becomes `partial`. NOT_FOUND with
// the names there are; UNSUPPORTED for a partition, which the kernel cannot limit.
Result<BackingChain> at_layer(const Roots& roots, BackingChain chain, std::string_view layer);

} // namespace penstock
