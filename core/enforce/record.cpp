// SPDX-License-Identifier: Apache-2.0
#include "enforce/record.hpp"

#include "model/limits_json.hpp"
#include "sys/block_device.hpp"

#include <boost/json.hpp>

#include <stdexcept>

namespace penstock {
namespace {

namespace json = boost::json;
constexpr std::int64_t format_version = 1;

json::value number_or_null(const std::optional<std::uint32_t>& number) {
    return number ? json::value(*number) : json::value(nullptr);
}

json::object weight_json(const WeightSetting& setting) {
    return {{"policy", name(setting.place.policy)},
            {"device", setting.place.device.text()},
            {"value", number_or_null(setting.value)},
            {"before", number_or_null(setting.before)}};
}

json::object to_json(const DiskRecord& record) {
    const auto& point = record.point;
    json::object out{{"disk", record.disk},
                     {"engine", name(point.engine)},
                     {"wanted", penstock::to_json(record.wanted)},
                     {"before", penstock::to_json(record.before)}};
    if (point.engine == Engine::native) {
        out["native_id"] = point.native_id;
    } else {
        out["cgroup_version"] = point.version == CgroupVersion::v1 ? 1 : 2;
        out["cgroup"] = point.cgroup;
        out["device"] = point.device.text();
        out["device_name"] = point.device_name;
        out["device_identity"] = record.device_identity;
        json::array weights;
        for (const auto& setting : record.weights) weights.push_back(weight_json(setting));
        if (!weights.empty()) out["weights"] = std::move(weights);
        out["released"] = record.released;
        out["layer"] = record.layer;
    }
    return out;
}

// Throws boost::system::system_error where a key is missing or of another type; caught in record_from_json.
std::string text(const json::object& object, std::string_view key) { return std::string{object.at(key).as_string()}; }

// A failure of ours as the exception that record_from_json catches.
template <class T>
T checked(Result<T> result) {
    if (!result) throw std::runtime_error{result.error().text()};
    return *std::move(result);
}

std::optional<std::uint32_t> optional_number(const json::object& object, std::string_view key) {
    const auto& value = object.at(key);
    return value.is_null() ? std::nullopt : std::optional{value.to_number<std::uint32_t>()};
}

WeightSetting weight_from(const json::object& object) {
    WeightSetting setting;
    setting.place.policy = weight_policy_from(text(object, "policy")).value();
    setting.place.device = parse_device_number(text(object, "device")).value();
    setting.value = optional_number(object, "value");
    setting.before = optional_number(object, "before");
    return setting;
}

DiskRecord disk_from(const json::object& object, const InstanceKey& key) {
    DiskRecord record;
    record.disk = text(object, "disk");
    record.wanted = checked(limits_from_json(object.at("wanted")));
    record.before = checked(limits_from_json(object.at("before")));
    auto& point = record.point;
    point.engine = engine_from(text(object, "engine")).value();
    if (point.engine == Engine::native) {
        point.key = key;
        point.native_id = text(object, "native_id");
    } else {
        point.version = object.at("cgroup_version").to_number<int>() == 1 ? CgroupVersion::v1 : CgroupVersion::v2;
        point.cgroup = text(object, "cgroup");
        point.device = parse_device_number(text(object, "device")).value();
        point.device_name = text(object, "device_name");
        record.device_identity = text(object, "device_identity");
        const auto* released = object.if_contains("released"); // records of 0.1.0 have none
        record.released = released != nullptr && released->as_bool();
        if (const auto* weights = object.if_contains("weights"))
            for (const auto& one : weights->as_array()) record.weights.push_back(weight_from(one.as_object()));
        record.layer = text(object, "layer");
    }
    return record;
}

} // namespace

DiskRecord* InstanceRecord::find(const std::string& disk) {
    for (auto& record : disks)
        if (record.disk == disk) return &record;
    return nullptr;
}

json::object to_json(const InstanceRecord& record) {
    json::array moved;
    for (const auto& move : record.moved)
        moved.push_back(json::object{{"pid", move.pid}, {"start_time", move.start_time}, {"from", move.from}});
    json::array disks;
    for (const auto& disk : record.disks) disks.push_back(to_json(disk));
    return {{"version", format_version}, {"kind", record.key.kind},
            {"id", record.key.id},       {"incarnation", record.key.incarnation},
            {"name", record.name},       {"made_cgroup", record.made_cgroup},
            {"cgroup", record.cgroup},   {"moved", std::move(moved)},
            {"disks", std::move(disks)}};
}

Result<InstanceRecord> record_from_json(const json::value& value) {
    try {
        const auto& object = value.as_object();
        if (object.at("version").to_number<std::int64_t>() != format_version)
            return Error{ErrorCode::malformed, "the record is of another version"};
        InstanceRecord record;
        record.key = {text(object, "kind"), text(object, "id"), text(object, "incarnation")};
        record.name = text(object, "name");
        record.made_cgroup = object.at("made_cgroup").as_bool();
        record.cgroup = text(object, "cgroup");
        for (const auto& move : object.at("moved").as_array())
            record.moved.push_back({move.at("pid").to_number<pid_t>(), move.at("start_time").to_number<std::uint64_t>(),
                                    text(move.as_object(), "from")});
        for (const auto& disk : object.at("disks").as_array())
            record.disks.push_back(disk_from(disk.as_object(), record.key));
        return record;
    } catch (const std::exception& e) {
        return Error{ErrorCode::malformed, std::string{"the record cannot be understood: "} + e.what()};
    }
}

} // namespace penstock
