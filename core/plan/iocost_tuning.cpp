// SPDX-License-Identifier: Apache-2.0
#include "plan/iocost_tuning.hpp"

#include "cgroup/lines.hpp"

namespace penstock {
namespace {

bool has_word(std::string_view line, std::string_view wanted) {
    while (!line.empty())
        if (take_word(line) == wanted) return true;
    return false;
}

// The write after which the kernel says `line` again. What it has chosen by itself it chooses again.
std::string putting_back(DeviceNumber number, const std::string& line, std::string_view off) {
    if (line.empty()) return number.text() + " " + std::string{off};
    if (!has_word(line, "ctrl=auto")) return line;
    return number.text() +
           (has_word(line, "enable=1")   ? " enable=1"
            : has_word(line, "enable=0") ? " enable=0"
                                         : "") +
           " ctrl=auto";
}

} // namespace

bool iocost_acts(const IocostState& now) { return has_word(now.qos, "enable=1") && has_word(now.model, "ctrl=user"); }

std::vector<TuningWrite> plan_iocost_tuning(const IocostState& now, const IocostSettings& settings) {
    if (iocost_acts(now)) return {};
    std::vector<TuningWrite> writes;
    if (scheduler_in_use(now.schedulers) == "bfq") {
        const bool has_deadline = has_word(now.schedulers, "mq-deadline");
        writes.push_back({"queue/scheduler", has_deadline ? "mq-deadline" : "none", "bfq",
                          "BFQ orders by weights of its own, and both at once share out worse than either"});
    }
    writes.push_back({now.root + "/io.cost.model",
                      now.number.text() + " ctrl=user model=linear " + settings.model.text(),
                      putting_back(now.number, now.model, "ctrl=auto"), "what the device can do, " + settings.source});
    writes.push_back({now.root + "/io.cost.qos", now.number.text() + " enable=1 ctrl=user " + settings.qos,
                      putting_back(now.number, now.qos, "enable=0"), "iocost shares out what the model says there is"});
    return writes;
}

} // namespace penstock
