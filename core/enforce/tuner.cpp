// SPDX-License-Identifier: Apache-2.0
#include "enforce/tuner.hpp"

#include "cgroup/lines.hpp"
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

// The device's line in a file of the root cgroup that has one for each device.
std::string line_of(std::string_view text, DeviceNumber number) {
    std::string out;
    for_each_line(text, [&](std::string_view line) {
        auto rest = line;
        if (take_word(rest) == number.text()) out = line;
    });
    return out;
}

// "min=100" and "min=100.00" say the same.
bool same_word(std::string_view wanted, std::string_view shown) {
    return shown == wanted || shown == std::string{wanted} + ".00";
}

// Does `line` have every word of `wanted`?
bool has_words(std::string_view line, std::string_view wanted) {
    while (!wanted.empty()) {
        const auto word = take_word(wanted);
        auto rest = line;
        bool found = false;
        while (!found && !rest.empty()) found = same_word(word, take_word(rest));
        if (!found) return false;
    }
    return true;
}

// Does the file say what was written? It shows the scheduler in use in brackets, iocost's numbers device by device, and
// everything else as it was written.
bool holds(const TuningWrite& write, DeviceNumber number, const std::string& shown) {
    if (write.file == "queue/scheduler") return scheduler_in_use(shown) == write.value;
    if (write.file.starts_with('/')) return has_words(line_of(shown, number), write.value);
    return shown == write.value;
}

// The later tuning's writes, with what the former found where both write; and the former's others before them.
DeviceTuning merged(const DeviceTuning& former, DeviceTuning later) {
    std::vector<TuningWrite> writes = former.writes;
    for (auto& write : later.writes) {
        const auto same =
            std::find_if(writes.begin(), writes.end(), [&](const auto& one) { return one.file == write.file; });
        if (same == writes.end())
            writes.push_back(std::move(write));
        else
            same->value = write.value;
    }
    later.writes = std::move(writes);
    return later;
}

} // namespace

Tuner::Tuner(const Roots& roots)
    : roots_{roots}, path_{roots.run + "/penstock/tuning.json"}, boot_id_{line_or_nothing(
                                                                     roots.proc + "/sys/kernel/random/boot_id")} {}

std::string Tuner::path_of(const DeviceTuning& tuning, const std::string& file) const {
    return file.starts_with('/') ? file : roots_.sys + "/dev/block/" + tuning.number.text() + "/" + file;
}

Result<DeviceTuning> Tuner::plan_bfq(const BlockDevice& device) const {
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

Result<IocostState> Tuner::iocost_state(const BlockDevice& device, const Hierarchy& hierarchy) const {
    const auto& root = hierarchy.mount_point;
    const auto qos = read_file(root + "/io.cost.qos"), model = read_file(root + "/io.cost.model");
    if (hierarchy.version == CgroupVersion::v1 || !qos || !model)
        return Error{ErrorCode::unsupported, hierarchy.version == CgroupVersion::v1
                                                 ? "cgroup v1 has no iocost"
                                                 : root + "/io.cost.qos is not there: this kernel has no iocost"}
            .advise("leave out --iocost: BFQ shares out by weight as well");
    if (device.scheduler.empty()) // iocost needs the queue that a scheduler needs
        return Error{ErrorCode::unsupported,
                     device.name + " hands its requests on as they come: it has no queue that iocost could hold back"}
            .advise("put the disk on a device that has one, or use rate limits");
    return IocostState{device.number, root,
                       line_or_nothing(roots_.sys + "/dev/block/" + device.number.text() + "/queue/scheduler"),
                       line_of(*model, device.number), line_of(*qos, device.number)};
}

DeviceTuning Tuner::plan_iocost(const BlockDevice& device, const IocostState& now,
                                const IocostSettings& settings) const {
    return {device.number, device.name, device.identity(), plan_iocost_tuning(now, settings)};
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
    const auto same = std::find_if(known->begin(), known->end(),
                                   [&](const DeviceTuning& one) { return one.number == tuning.number; });
    if (same != known->end())
        *same = merged(*same, tuning);
    else
        known->push_back(tuning);
    if (auto saved = save(*known); !saved) return saved;
    for (std::size_t i = 0; i < tuning.writes.size(); ++i) {
        const auto& write = tuning.writes[i];
        const auto path = path_of(tuning, write.file);
        auto done = write_at(AT_FDCWD, path, write.value, path);
        if (done)
            if (const auto now = line_or_nothing(path); !holds(write, tuning.number, now))
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
