// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace penstock::kvm {

// QEMU's options: whether a word with '-' takes the next word with it.
enum class OptionKind { unknown, flag, argument };

OptionKind option_kind(std::string_view name); // without its dashes
bool is_machine_option(std::string_view name); // only an emulator of a whole machine has it

} // namespace penstock::kvm
