// SPDX-License-Identifier: Apache-2.0
#include "check/report.hpp"

#include "base/text.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace penstock::check {
namespace {

namespace json = boost::json;

std::string_view word(Result result) {
    return result == Result::passed ? "passed" : result == Result::skipped ? "skipped" : "failed";
}

std::size_t count(const std::vector<Outcome>& outcomes, Result result) {
    return static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(),
                                                  [&](const Outcome& outcome) { return outcome.result == result; }));
}

std::string guide(const Case& what) { return "docs/plugins.md#" + std::string{what.rule}; }

std::string xml(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    return out;
}

std::string tap(const std::vector<Outcome>& outcomes) {
    auto out = fmt::format("TAP version 13\n1..{}\n", outcomes.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const auto& outcome = outcomes[i];
        out += fmt::format("{} {} - {}", outcome.result == Result::failed ? "not ok" : "ok", i + 1,
                           outcome.what.full_name());
        if (outcome.result == Result::skipped) out += " # SKIP " + outcome.sentences.front();
        out += '\n';
        if (outcome.result != Result::failed) continue;
        for (const auto& sentence : outcome.sentences) out += "# " + sentence + '\n';
        out += "# see " + guide(outcome.what) + '\n';
    }
    return out;
}

std::string as_json(const std::string& library, std::uint64_t seed, const std::vector<Outcome>& outcomes) {
    json::array cases;
    for (const auto& outcome : outcomes) {
        json::array sentences;
        for (const auto& sentence : outcome.sentences) sentences.emplace_back(sentence);
        cases.push_back(json::object{{"group", outcome.what.group},
                                     {"name", outcome.what.name},
                                     {"result", word(outcome.result)},
                                     {"sentences", std::move(sentences)},
                                     {"rule", guide(outcome.what)},
                                     {"seconds", outcome.seconds}});
    }
    return json::serialize(json::object{{"plugin", printable(library)},
                                        {"seed", seed},
                                        {"passed", count(outcomes, Result::passed)},
                                        {"skipped", count(outcomes, Result::skipped)},
                                        {"failed", count(outcomes, Result::failed)},
                                        {"cases", std::move(cases)}}) +
           "\n";
}

std::string junit(const std::string& library, const std::vector<Outcome>& outcomes) {
    auto out =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" "
                    "skipped=\"{}\">\n",
                    xml(library), outcomes.size(), count(outcomes, Result::failed), count(outcomes, Result::skipped));
    for (const auto& outcome : outcomes) {
        out += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", outcome.what.group,
                           outcome.what.name, outcome.seconds);
        if (outcome.result == Result::skipped)
            out += fmt::format("    <skipped message=\"{}\"/>\n", xml(outcome.sentences.front()));
        if (outcome.result == Result::failed) {
            out += fmt::format("    <failure message=\"{}\">", xml(outcome.sentences.front()));
            for (const auto& sentence : outcome.sentences) out += xml(sentence) + '\n';
            out += xml("see " + guide(outcome.what)) + "</failure>\n";
        }
        out += "  </testcase>\n";
    }
    return out + "</testsuite>\n";
}

} // namespace

std::optional<Format> parse_format(std::string_view name) {
    if (name == "text") return Format::text;
    if (name == "tap") return Format::tap;
    if (name == "json") return Format::json;
    if (name == "junit") return Format::junit;
    return std::nullopt;
}

std::string line(const Outcome& outcome) {
    auto out = fmt::format("{:<8} {:<26} {}\n", word(outcome.result), outcome.what.full_name(), outcome.what.sentence);
    for (const auto& sentence : outcome.sentences) out += "         " + sentence + '\n';
    if (outcome.result == Result::failed) out += "         see " + guide(outcome.what) + '\n';
    return out;
}

std::string report(Format format, const std::string& library, std::uint64_t seed,
                   const std::vector<Outcome>& outcomes) {
    switch (format) {
    case Format::tap: return tap(outcomes);
    case Format::json: return as_json(library, seed, outcomes);
    case Format::junit: return junit(library, outcomes);
    case Format::text: break;
    }
    return fmt::format("{} passed, {} skipped, {} failed (seed {})\n", count(outcomes, Result::passed),
                       count(outcomes, Result::skipped), count(outcomes, Result::failed), seed);
}

} // namespace penstock::check
