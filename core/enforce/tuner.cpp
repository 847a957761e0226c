// SPDX-License-Identifier: Apache-2.0
#include "enforce/tuner.hpp"

#include "sys/file.hpp"

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace penstock {
namespace {

namespace json = boost::json;

std::string line_or_nothing(const std::string& path) {
    auto text = read_line(path);
    return text ? *std::move(text) : std::string{};
}

json::object to_json(const DeviceTuning& tuning) {
    json::array writes;
    for (const auto& write : tuning.writes)
        writes.push_back(json::object{{"file", write.file},
                                      {"value", write.value},
                                      {"before", write.before ? json::value(*write.before) : json::value(nullptr)}});
    return {{"device", tuning.number.text()},
            {"name", tuning.name},
            {"identity", tuning.identity},
            {"writes", std::move(writes)}};
}

std::string text(const json::object& object, std::string_view key) { return std::string{object.at(key).as_string()}; }

// Throws where a key is missing or of another type; caught in applied().
DeviceTuning tuning_from(const json::object& object) {
    DeviceTuning tuning{
        parse_device_number(text(object, "device")).value(), text(object, "name"), text(object, "identity"), {}};
    for (const auto& one : object.at("writes").as_array()) {
        const auto& write = one.as_object();
        std::optional<std::string> before;
        if (!write.at("before").is_null()) before = text(write, "before");
        tuning.writes.push_back({text(write, "file"), text(write, "value"), std::move(before), {}});
    }
    return tuning;
}

// The kernel shows the scheduler in use in brackets, everything else as it was written.
std::string value_in(const std::string& file, const std::string& shown) {
    return file == "queue/scheduler" ? std::string{scheduler_in_use(shown)} : shown;
}

} // namespace

Tuner::Tuner(const Roots& roots)
    : roots_{roots}, path_{roots.run + "/penstock/tuning.json"}, boot_id_{line_or_nothing(
                                                                     roots.proc + "/sys/kernel/random/boot_id")} {}

std::string Tuner::path_of(const DeviceTuning& tuning, const std::string& file) const {
    return roots_.sys + "/dev/block/" + tuning.number.text() + "/" + file;
}

Result<DeviceTuning> Tuner::plan(const BlockDevice& device) const {
    DeviceTuning tuning{device.number, device.name, device.identity(), {}};
    const auto read = [&](const std::string& file) { return line_or_nothing(path_of(tuning, file)); };
    const QueueState now{read("queue/scheduler"), read("queue/nr_requests"), read("queue/iosched/low_latency"),
                         read("queue/iosched/strict_guarantees")};
    if (scheduler_in_use(now.schedulers).empty())
        return Error{ErrorCode::unsupported,
                     device.name + " hands its requests on as they come: it has no scheduler that could weigh them"}
            .advise("put the disk on a device that has one, or use rate limits");
    tuning.writes = plan_queue_tuning(now);
    return tuning;
}

// A file that was not there before goes with the scheduler.
Result<void> Tuner::put_back(const DeviceTuning& tuning, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
        const auto& write = tuning.writes[i];
        if (!write.before) continue;
        const auto path = path_of(tuning, write.file);
        if (auto done = write_at(AT_FDCWD, path, *write.before, path); !done) return done;
    }
    return {};
}

Result<void> Tuner::apply(const DeviceTuning& tuning) {
    auto known = applied();
    if (!known) return known.error();
    const auto former = *known;
    std::erase_if(*known, [&](const DeviceTuning& one) { return one.number == tuning.number; });
    known->push_back(tuning);
    if (auto saved = save(*known); !saved) return saved;
    for (std::size_t i = 0; i < tuning.writes.size(); ++i) {
        const auto& write = tuning.writes[i];
        const auto path = path_of(tuning, write.file);
        auto done = write_at(AT_FDCWD, path, write.value, path);
        if (done)
            if (const auto now = value_in(write.file, line_or_nothing(path)); now != write.value)
                done = Error{ErrorCode::system,
                             fmt::format("read back '{}' from {} where '{}' was written", now, path, write.value)};
        if (done) continue;
        if (auto undone = put_back(tuning, i); !undone)
            return Error{ErrorCode::partial, fmt::format("{}; and putting back what was done before failed: {}",
                                                         done.error().text(), undone.error().text())};
        (void)save(former);
        if (write.file == "queue/scheduler" && done.error().sys_errno() == EINVAL)
            return std::move(done.error())
                .advise("this kernel has no BFQ: build it with CONFIG_IOSCHED_BFQ and CONFIG_BFQ_GROUP_IOSCHED, or "
                        "install its module");
        return done;
    }
    return {};
}

Result<std::vector<DeviceTuning>> Tuner::applied() const {
    std::vector<DeviceTuning> out;
    const auto text = read_file(path_);
    if (!text && text.error().sys_errno() == ENOENT) return out;
    if (!text) return text.error();
    try {
        const auto value = json::parse(*text);
        if (value.at("boot_id") != json::string{boot_id_}) return out; // settings do not outlive the kernel
        for (const auto& one : value.at("devices").as_array()) out.push_back(tuning_from(one.as_object()));
    } catch (const std::exception& e) {
        return Error{ErrorCode::malformed, path_ + " cannot be understood: " + e.what()};
    }
    std::erase_if(out, [&](const DeviceTuning& tuning) {
        const auto device = read_block_device(roots_, tuning.number);
        return !device || device->identity() != tuning.identity;
    });
    return out;
}

Result<void> Tuner::restore(const DeviceTuning& tuning) {
    auto known = applied();
    if (!known) return known.error();
    if (auto done = put_back(tuning, tuning.writes.size()); !done) return done;
    std::erase_if(*known, [&](const DeviceTuning& one) { return one.number == tuning.number; });
    return save(*known);
}

Result<void> Tuner::save(const std::vector<DeviceTuning>& tunings) const {
    json::array devices;
    for (const auto& tuning : tunings) devices.push_back(to_json(tuning));
    if (auto made = make_directories(path_.substr(0, path_.rfind('/'))); !made) return made;
    return replace_file(path_,
                        json::serialize(json::object{{"boot_id", boot_id_}, {"devices", std::move(devices)}}) + "\n");
}

} // namespace penstock
