// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/actor.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "model/limits.hpp"
#include "plugin/record_text.hpp"
#include "plugin/records.hpp"

#include <penstock/plugin.h>

#include <cstdint>
#include <string>

namespace penstock {

// Records of the contract to the model. What a plugin says is not believed: sizes, strides, lengths, counts and numbers
// are checked, strings are copied at once through `text`, unknown enumerators become "unknown". MALFORMED says what was
// wrong.
Result<ProbeLine> from_record(const penstock_probe* record, RecordText& text);
Result<Instance> from_record(const penstock_instance* record, RecordText& text);
Result<Disk> from_record(const penstock_disk* record, RecordText& text);
Result<Actor> from_record(const penstock_actor* record, RecordText& text);
Result<Limits> from_record(const penstock_limits* record, RecordText& text);
Result<FieldSupport> from_record(const penstock_limit_support* record, RecordText& text);

// The other way. What is returned borrows the argument's strings.
penstock_str borrow(const std::string& text);
penstock_key borrow(const InstanceKey& key);
penstock_limits to_record(const Limits& limits);
std::uint64_t to_mask(const LimitFields& fields);

// A negative PENSTOCK_E_* with the error that came along.
Error from_error(std::int32_t code, const penstock_error& error);

} // namespace penstock
