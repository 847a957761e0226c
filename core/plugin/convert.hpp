// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/actor.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "model/limits.hpp"
#include "plugin/records.hpp"

#include <penstock/plugin.h>

#include <cstdint>
#include <string>

namespace penstock {

// Records of the contract to the model and back. What a plugin says is not believed: sizes, strides, lengths and counts are
// checked, strings are copied at once, unknown numbers become "unknown". MALFORMED names what was wrong.
Result<ProbeLine> from_record(const penstock_probe* record);
Result<Instance> from_record(const penstock_instance* record);
Result<Disk> from_record(const penstock_disk* record);
Result<Actor> from_record(const penstock_actor* record);
Result<Limits> from_record(const penstock_limits* record);
Result<FieldSupport> from_record(const penstock_limit_support* record);

penstock_str borrow(const std::string& text);
penstock_key borrow(const InstanceKey& key);
penstock_limits to_record(const Limits& limits); // borrows the group's name
std::uint64_t to_mask(const LimitFields& fields);
Error from_error(std::int32_t code, const penstock_error& error);

} // namespace penstock
