// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/wire.hpp"

#include <penstock/plugin.h>

#include <string>
#include <vector>

namespace penstock {

enum class Operation : std::uint8_t { probe, instances, disks, actors, support, read, apply, clear };

std::string_view name(Operation operation);

// One call, as it goes to the plugin's process. What an operation does not need is empty.
struct WireRequest {
    Operation operation = Operation::probe;
    std::uint64_t deadline_ns = 0, request_id = 0, generation = 0; // of penstock_call
    std::string kind, id, incarnation;                             // of penstock_key
    std::string disk;
    std::uint64_t mask = 0;
    penstock_limits limits{}; // its group is below
    std::string group;
};

std::string to_wire(const WireRequest& request);
// MALFORMED where it is cut, too long, or of no operation.
Result<WireRequest> request_from_wire(std::string_view bytes);

// The error of a call that has ended.
std::string to_wire(std::int32_t code, const penstock_error& error);
Result<std::int32_t> done_from_wire(std::string_view bytes, penstock_error& error);

// A record whose strings and arrays are borrowed from the frame, and from here.
struct WireArrays {
    std::vector<penstock_layer> layers;
    std::vector<penstock_str> texts;
};

// Records that have been checked (plugin/convert.hpp), in our own version of the struct.
std::string to_wire(const penstock_probe& record);
std::string to_wire(const penstock_instance& record);
std::string to_wire(const penstock_disk& record);
std::string to_wire(const penstock_actor& record);
std::string to_wire(const penstock_limits& record);
std::string to_wire(const penstock_limit_support& record);

Result<void> from_wire(std::string_view bytes, penstock_probe& record, WireArrays& arrays);
Result<void> from_wire(std::string_view bytes, penstock_instance& record, WireArrays& arrays);
Result<void> from_wire(std::string_view bytes, penstock_disk& record, WireArrays& arrays);
Result<void> from_wire(std::string_view bytes, penstock_actor& record, WireArrays& arrays);
Result<void> from_wire(std::string_view bytes, penstock_limits& record, WireArrays& arrays);
Result<void> from_wire(std::string_view bytes, penstock_limit_support& record, WireArrays& arrays);

} // namespace penstock
