// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/device_number.hpp"
#include "plan/iocost_model.hpp"
#include "plan/queue_tuning.hpp"

#include <string>
#include <vector>

namespace penstock {

// What iocost is to be told of a device, and from where it is known.
struct IocostSettings {
    IocostModel model;
    std::string qos;    // of io.cost.qos, without enable= and ctrl=
    std::string source; // "measured by reading", "/run/udev/data/b8:0"
};

// The kernel may run neither faster nor slower than the model says: shares stay what the weights are, for the price
// of what the device could do beyond.
inline constexpr const char* strict_iocost_qos = "rpct=0.00 wpct=0.00 min=100.00 max=100.00";

// What the kernel says of a device's iocost now.
struct IocostState {
    DeviceNumber number;
    std::string root;       // the root cgroup's directory, where io.cost.model and io.cost.qos are
    std::string schedulers; // "none [mq-deadline] bfq"
    std::string model, qos; // the device's lines, with the number; empty: it has none
};

// Does iocost act already, by a model that was given? The kernel's own guess counts for none.
bool iocost_acts(const IocostState& now);

// The writes after which iocost shares the device out. Undone in the same order. Nothing where it does so already.
// Pure.
std::vector<TuningWrite> plan_iocost_tuning(const IocostState& now, const IocostSettings& settings);

} // namespace penstock
