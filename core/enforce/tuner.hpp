// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"
#include "plan/iocost_tuning.hpp"
#include "sys/block_device.hpp"
#include "sys/roots.hpp"

#include <string>
#include <vector>

namespace penstock {

// What we have changed, or would change, of one device's queue.
struct DeviceTuning {
    DeviceNumber number;
    std::string name;
    std::string identity; // what the number stood for
    std::vector<TuningWrite> writes;
};

// Makes devices share out by weight, and puts back what was there. What was there is kept in
// <run>/penstock/tuning.json, written whole before the first change. Whoever calls holds the journal's lock.
class Tuner {
public:
    explicit Tuner(const Roots& roots);

    // What there is to do until BFQ shares out; UNSUPPORTED where the device has no scheduler.
    Result<DeviceTuning> plan_bfq(const BlockDevice& device) const;
    // The same for iocost; UNSUPPORTED where the kernel has none.
    Result<IocostState> iocost_state(const BlockDevice& device, const Hierarchy& hierarchy) const;
    DeviceTuning plan_iocost(const BlockDevice& device, const IocostState& now, const IocostSettings& settings) const;
    // All of it, read back, or none. What a tuning before it found there is what restore() puts back.
    Result<void> apply(const DeviceTuning& tuning);

    // What has been applied since boot. A device that has gone meanwhile has taken its settings with it.
    Result<std::vector<DeviceTuning>> applied() const;
    Result<void> restore(const DeviceTuning& tuning);

private:
    std::string path_of(const DeviceTuning& tuning, const std::string& file) const;
    Result<void> put_back(const DeviceTuning& tuning, std::size_t count) const;
    Result<void> save(const std::vector<DeviceTuning>& tunings) const;

    const Roots& roots_;
    std::string path_;
    std::string boot_id_;
};

} // namespace penstock
