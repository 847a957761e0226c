// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/limits.hpp"

#include <boost/json/fwd.hpp>

namespace penstock {

// {"write_bps": 20000000, "write_bps_burst": {"rate": 40000000, "seconds": 5}, "io_size": 4096, "group": "g", "weight":
// 100}; bytes or requests per second; a field that is not set is not there.
boost::json::object to_json(const Limits& limits);
Result<Limits> limits_from_json(const boost::json::value& value);

} // namespace penstock
