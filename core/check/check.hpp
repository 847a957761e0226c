// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::check {

class Subject;

// What one case has found out about the plugin.
class Verdict {
public:
    // `sentence` says what is wrong where `holds` is false. Returns `holds`.
    bool expect(bool holds, std::string_view sentence) {
        if (!holds) failures_.emplace_back(sentence);
        return holds;
    }
    // There is nothing to check here: why.
    void skip(std::string reason) { skipped_ = std::move(reason); }

    const std::vector<std::string>& failures() const { return failures_; }
    const std::string& skipped() const { return skipped_; }

private:
    std::vector<std::string> failures_;
    std::string skipped_;
};

// One rule of the contract, and how it is checked. `rule` is where the guide explains it: docs/plugins.md#RULE.
struct Case {
    std::string_view group, name, rule, sentence;
    void (*run)(Subject&, Verdict&);

    std::string full_name() const { return std::string{group} + "/" + std::string{name}; }
};

std::span<const Case> library_cases();
std::span<const Case> lifecycle_cases();
std::span<const Case> record_cases();
std::span<const Case> limit_cases();
std::span<const Case> deadline_cases();
std::span<const Case> race_cases();
std::span<const Case> fuzz_cases();

// All of them, in that order.
std::vector<Case> all_cases();

} // namespace penstock::check
