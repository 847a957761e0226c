// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/records.hpp"

#include <penstock/plugin.h>

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

namespace penstock {

// Who may call a plugin now, as its thread model asks for. A model that is not known is taken as SERIAL.
class Turns {
public:
    using Turn = std::unique_lock<std::timed_mutex>;

    void set_model(std::uint32_t model) { model_ = model; }

    // `instance` is empty for a call that concerns none. Nothing where the turn did not come before the deadline.
    std::optional<Turn> wait(std::string_view instance, Deadline deadline) {
        if (model_ == PENSTOCK_THREADS_PARALLEL) return Turn{};
        const bool by_instance = model_ == PENSTOCK_THREADS_PER_INSTANCE && !instance.empty();
        // Two instances may share a place: they wait for each other without need, but never run at once against the
        // rule.
        const auto place = by_instance ? 1 + std::hash<std::string_view>{}(instance) % (places_.size() - 1) : 0;
        Turn turn{places_[place], std::defer_lock};
        if (!turn.try_lock_until(deadline)) return std::nullopt;
        return turn;
    }

private:
    std::uint32_t model_ = PENSTOCK_THREADS_SERIAL;
    std::array<std::timed_mutex, 33> places_;
};

} // namespace penstock
