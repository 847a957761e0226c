// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace penstock {

// For a terminal, a log or JSON: valid UTF-8, with control characters and stray bytes as \xNN. Names come from guests
// and tenants, and an escape sequence in a name must not reach a terminal.
std::string printable(std::string_view text);

// Columns that a printable text takes on a terminal, one for each character.
std::size_t columns(std::string_view text);

} // namespace penstock
