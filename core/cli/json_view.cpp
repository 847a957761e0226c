// SPDX-License-Identifier: Apache-2.0
#include "cli/json_view.hpp"

#include "base/text.hpp"
#include "cli/words.hpp"
#include "model/limits_json.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace penstock {
namespace {

namespace json = boost::json;

json::array strings(const std::vector<std::string>& texts) {
    json::array out;
    for (const auto& text : texts) out.push_back(json::string{printable(text)});
    return out;
}

json::object to_json(const Obstacle& obstacle) { return {{"reason", obstacle.reason}, {"remedy", obstacle.remedy}}; }

json::object disk_json(const Session::Entry& entry, const DiskStatus& status) {
    const auto& view = *entry.view.find(status.disk);
    const auto& disk = view.disk;
    json::object out{{"target", printable(disk.target)},
                     {"native_id", printable(disk.native_id)},
                     {"driver", printable(disk.driver)},
                     {"bus", printable(disk.bus)},
                     {"cache", word(disk.cache)},
                     {"read_only", disk.read_only},
                     {"note", printable(disk.note)},
                     {"engine", name(status.point.engine == Engine::none ? status.choice.engine : status.point.engine)},
                     {"limits", to_json(status.seen)}};
    out["device"] = view.chain.device ? json::value(view.chain.device->name) : json::value(nullptr);
    out["device_number"] = view.chain.device ? json::value(view.chain.device->number.text()) : json::value(nullptr);
    out["wanted"] = status.wanted ? json::value(to_json(*status.wanted)) : json::value(nullptr);
    out["verdict"] = status.verdict ? json::value(to_json(*status.verdict)) : json::value(nullptr);
    if (status.point.engine == Engine::cgroup) out["cgroup"] = printable(status.point.cgroup);
    if (const auto& c = status.counters)
        out["counters"] = json::object{{"read_bytes", c->read_bytes},
                                       {"write_bytes", c->write_bytes},
                                       {"read_ios", c->read_ios},
                                       {"write_ios", c->write_ios}};
    return out;
}

} // namespace

json::object to_json(const Error& error) {
    json::object out{{"code", name(error.code())}, {"message", error.text()}, {"next", error.next()}};
    if (error.sys_errno() != 0) out["errno"] = error.sys_errno();
    return out;
}

json::object to_json(const Verdict& verdict) {
    return {{"kind", word(verdict.kind)}, {"reason", verdict.reason}, {"remedy", verdict.remedy}};
}

json::object to_json(const BackingChain& chain) {
    json::array links;
    for (const auto& link : chain.links)
        links.push_back(
            json::object{{"what", link.what},
                         {"name", link.name},
                         {"detail", link.detail},
                         {"depth", link.depth},
                         {"partial", link.partial ? json::value(to_json(*link.partial)) : json::value(nullptr)},
                         {"device_number", link.device ? json::value(link.device->text()) : json::value(nullptr)}});
    json::object out{{"links", std::move(links)}, {"notes", strings(chain.notes)}};
    out["device"] = chain.device ? json::value(chain.device->name) : json::value(nullptr);
    out["identity"] = chain.device ? json::value(printable(chain.device->identity())) : json::value(nullptr);
    out["partial"] = chain.partial ? json::value(to_json(*chain.partial)) : json::value(nullptr);
    out["obstacle"] = chain.obstacle ? json::value(to_json(*chain.obstacle)) : json::value(nullptr);
    return out;
}

json::object to_json(const EngineOption& option) {
    json::object out{{"possible", !option.impossible},
                     {"effective", !option.impossible && !option.ineffective},
                     {"exact", !option.impossible && option.exact},
                     {"needs_adopt", option.needs_adopt},
                     {"caveats", strings(option.caveats)}};
    const auto& obstacle = option.impossible ? option.impossible : option.ineffective;
    if (obstacle) out["obstacle"] = to_json(*obstacle);
    return out;
}

json::object to_json(const Session::Entry& entry) {
    const auto& instance = entry.view.instance;
    json::array disks;
    for (const auto& status : entry.disks) disks.push_back(disk_json(entry, status));
    json::array troubles;
    for (const auto& trouble : entry.view.troubles) troubles.push_back(to_json(trouble));
    return {{"kind", instance.key.kind},
            {"id", printable(instance.key.id)},
            {"name", printable(instance.name)},
            {"incarnation", printable(instance.key.incarnation)},
            {"state", word(instance.state)},
            {"main_pid", instance.main_pid},
            {"manager", printable(instance.manager)},
            {"note", printable(instance.note)},
            {"disks", std::move(disks)},
            {"troubles", std::move(troubles)}};
}

json::object to_json(const Outcome& outcome, const Hierarchy* hierarchy) {
    json::array steps;
    for (const auto& step : outcome.plan.steps)
        steps.push_back(json::object{{"do", describe(step, hierarchy)}, {"why", step.why}});
    return {{"disk", printable(outcome.disk)},
            {"engine", name(outcome.plan.point.engine)},
            {"why", outcome.choice.why},
            {"steps", std::move(steps)},
            {"takes_ms", waiting_time(outcome.plan).count()},
            {"limits", to_json(outcome.plan.after)},
            {"verdict", to_json(outcome.verdict)},
            {"warnings", strings(outcome.warnings)}};
}

void print_json(const json::value& value) { fmt::print("{}\n", json::serialize(value)); }

} // namespace penstock
