// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/instance.hpp"
#include "plan/planner.hpp"

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

// A limit that we have set, and what was there before.
struct DiskRecord {
    std::string disk; // target
    LimitPoint point;
    std::string device_identity; // what the device number stood for
    std::string layer;           // of its backing chain, as a person chose it; empty: the best one
    Limits wanted;
    Limits before;                      // of the fields in `wanted`: what others had set
    std::vector<WeightSetting> weights; // where the weight was written, and what was there
    bool released = false;              // lifted for the removal of its device
};

// All that we have done to one instance.
struct InstanceRecord {
    InstanceKey key;
    std::string name;
    bool made_cgroup = false;
    std::string cgroup;             // the one we made
    std::vector<ProcessMove> moved; // into it, from where they were
    std::vector<DiskRecord> disks;

    DiskRecord* find(const std::string& disk);
};

boost::json::object to_json(const InstanceRecord& record);
Result<InstanceRecord> record_from_json(const boost::json::value& value);

} // namespace penstock
