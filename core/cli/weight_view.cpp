// SPDX-License-Identifier: Apache-2.0
#include "cli/weight_view.hpp"

#include "base/text.hpp"
#include "observe/weight_share.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

namespace json = boost::json;
constexpr std::size_t shown_competitors = 8;

std::optional<WeightShare> share_of(const InstanceView& view, const WeightDevice& found, WeightPolicy policy) {
    if (!view.placement || view.placement->obstacle || view.placement->create) return std::nullopt;
    return weight_share(view.placement->hierarchy, view.placement->cgroup, policy, found.device.number);
}

std::string scheduler_of(const WeightDevice& found) {
    return found.device.scheduler.empty() ? "no scheduler" : "scheduler " + found.device.scheduler;
}

void print_share(const WeightShare& share, WeightPolicy policy) {
    fmt::print("    {}: weight {}, {:.1f} % of it while all are busy\n", name(policy), share.weight, share.percent);
    for (std::size_t i = 0; i < std::min(share.competitors.size(), shown_competitors); ++i)
        fmt::print("      against {} {}\n", share.competitors[i].weight, printable(share.competitors[i].cgroup));
    if (share.competitors.size() > shown_competitors)
        fmt::print("      and {} more\n", share.competitors.size() - shown_competitors);
}

} // namespace

void print_weight(const Weighing& weighing, const InstanceView& view) {
    for (const auto& found : weighing.devices) {
        fmt::print("  {} ({})\n", found.device.name, scheduler_of(found));
        for (const auto policy : found.policies)
            if (const auto share = share_of(view, found, policy))
                print_share(*share, policy);
            else
                fmt::print("    {} acts\n", name(policy));
    }
    const auto& obstacle = weighing.impossible ? weighing.impossible : weighing.ineffective;
    if (obstacle)
        fmt::print("  a weight would not act: {}\n  what would help: {}\n", obstacle->reason, obstacle->remedy);
    for (const auto& caveat : weighing.caveats) fmt::print("  note: {}\n", caveat);
}

json::object weight_json(const Weighing& weighing, const InstanceView& view) {
    json::array devices;
    for (const auto& found : weighing.devices) {
        json::array policies;
        for (const auto policy : found.policies) {
            json::object one{{"policy", name(policy)}, {"weight", nullptr}, {"share_percent", nullptr}};
            if (const auto share = share_of(view, found, policy)) {
                json::array competitors;
                for (const auto& other : share->competitors)
                    competitors.push_back(json::object{{"cgroup", printable(other.cgroup)}, {"weight", other.weight}});
                one["weight"] = share->weight;
                one["share_percent"] = share->percent;
                one["competitors"] = std::move(competitors);
            }
            policies.push_back(std::move(one));
        }
        devices.push_back(json::object{
            {"device", found.device.name}, {"scheduler", found.device.scheduler}, {"policies", std::move(policies)}});
    }
    const auto& obstacle = weighing.impossible ? weighing.impossible : weighing.ineffective;
    json::object out{{"acts", !obstacle}, {"devices", std::move(devices)}};
    if (obstacle) out["obstacle"] = json::object{{"reason", obstacle->reason}, {"remedy", obstacle->remedy}};
    return out;
}

} // namespace penstock
