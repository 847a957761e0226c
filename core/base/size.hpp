// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

// Bytes, or bytes per second: plain digits, with an optional decimal part and an optional unit: k M G T are powers of
// 1000, Ki Mi Gi Ti powers of 1024. "20M" is 20000000, "1.5Mi" 1572864. Anything else is an error that says at which
// column; so are 0, a fraction of a byte and what does not fit into 63 bits.
Result<std::uint64_t> parse_size(std::string_view text);

// Requests per second: as above with k and M only, since a request has no binary units.
Result<std::uint64_t> parse_count(std::string_view text);

// The shortest exact form: 20000000 is "20M", 1048576 "1Mi", 1234567 "1234567".
std::string format_size(std::uint64_t bytes);

// For people, three significant digits: 1234567 is "1.23M".
std::string format_rounded(double value);

} // namespace penstock
