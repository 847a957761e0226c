// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "observe/status.hpp"
#include "resolve/view.hpp"

#include <boost/json/fwd.hpp>

namespace penstock {

// What shares a disk's device out, and what this instance gets of it: a section of explain.
void print_weight(const Weighing& weighing, const InstanceView& view);
boost::json::object weight_json(const Weighing& weighing, const InstanceView& view);

} // namespace penstock
