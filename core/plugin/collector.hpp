// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.hpp"
#include "plugin/convert.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace penstock {

inline constexpr std::size_t record_cap = 100'000; // of one call, good and bad ones together

// By what two records of one listing are the same, and how each is told from the other. An empty identity: no rule.
struct Identity {
    std::string what, label;
};
inline Identity identity(const Instance& instance) {
    return {instance.key.kind + "/" + instance.key.id, fmt::format("instance '{}'", printable(instance.name))};
}
inline Identity identity(const Disk& disk) {
    return {disk.target, fmt::format("disk '{}'", printable(disk.native_id.empty() ? disk.driver : disk.native_id))};
}
inline Identity identity(const FieldSupport& support) { return {fmt::format("field {:#x}", support.field), "support"}; }
inline Identity identity(const ProbeLine&) { return {}; }
inline Identity identity(const Actor&) { return {}; }
inline Identity identity(const Limits&) { return {}; }

// Turns the records of one call into items. A bad record is left out and remembered; it does not hide the others.
template <class Item, class Record>
class Collector {
public:
    using Check = std::function<std::optional<Error>(const Item&)>;
    explicit Collector(Check check = {}) : check_{std::move(check)} {}

    // Returns what a sink returns: 0, or 1 for "stop".
    std::int32_t take(const Record* record) noexcept {
        try {
            return stopped_ ? 1 : take_one(record);
        } catch (const std::exception& e) {
            stopped_ = true;
            problem_ = Error{ErrorCode::internal, std::string{"taking the plugin's records: "} + e.what()};
            return 1;
        }
    }

    bool stopped() const { return stopped_; }

    Listing<Item> finish() && {
        if (problem_ && problems_ > 1)
            problem_ = std::move(*problem_).within(fmt::format("{} records were left out, the first one", problems_));
        return {std::move(items_), std::move(problem_)};
    }

private:
    std::int32_t take_one(const Record* record) {
        if (++seen_ > record_cap) return stop(fmt::format("more than {} records", record_cap));
        RecordText text;
        auto item = from_record(record, text);
        text_bytes_ += text.bytes();
        if (text_bytes_ > listing_text_cap) return stop(fmt::format("more than {} MiB", listing_text_cap >> 20));
        if (!item) return leave_out(std::move(item.error()));
        if (check_)
            if (auto bad = check_(*item)) return leave_out(*std::move(bad));
        if (auto [what, label] = identity(*item); !what.empty()) {
            const auto [first, is_new] = labels_.try_emplace(std::move(what), label);
            if (!is_new)
                return leave_out(
                    Error{ErrorCode::malformed, fmt::format("the plugin reported '{}' twice: {} and {}",
                                                            printable(first->first), first->second, label)});
        }
        items_.push_back(*std::move(item));
        return 0;
    }
    std::int32_t leave_out(Error problem) {
        if (problems_++ == 0) problem_ = std::move(problem);
        return 0;
    }
    std::int32_t stop(const std::string& excess) {
        stopped_ = true;
        problems_ = 0;
        problem_ = Error{ErrorCode::partial, "the plugin reported " + excess + "; the rest is left out"};
        return 1;
    }

    Check check_;
    std::vector<Item> items_;
    std::map<std::string, std::string> labels_;
    std::optional<Error> problem_;
    std::size_t seen_ = 0, problems_ = 0, text_bytes_ = 0;
    bool stopped_ = false;
};

} // namespace penstock
