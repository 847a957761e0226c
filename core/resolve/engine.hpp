// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/disk.hpp"
#include "model/limits.hpp"
#include "resolve/backing_chain.hpp"
#include "resolve/placement.hpp"
#include "resolve/weighing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

enum class Engine : std::uint8_t { none, cgroup, native };

std::string_view name(Engine engine);
std::optional<Engine> engine_from(std::string_view name);

// What is known of one disk before an engine is chosen.
struct DiskFacts {
    const Disk* disk = nullptr;
    const BackingChain* chain = nullptr;
    const Placement* placement = nullptr; // nullptr: no hierarchy, for the reason below
    std::string no_hierarchy;
    std::vector<std::string> shares_device_with; // other disks of the instance whose limit lands on the same device
    const Weighing* weighing = nullptr;          // where a weight is wanted
};

// What one engine could do with the wanted limits.
struct EngineOption {
    Engine engine = Engine::none;
    std::optional<Obstacle> impossible;  // cannot be set at all
    std::optional<Obstacle> ineffective; // can be set, but does not act on these fields' I/O
    std::vector<std::string> caveats;    // acts, but not on all of it, or on more than it
    bool exact = false;                  // acts on this disk alone and on all of its I/O
    bool needs_adopt = false;            // only with --adopt
};

struct EngineChoice {
    Engine engine = Engine::none; // none: see why
    std::string why;
    EngineOption cgroup;
    EngineOption native;

    const EngineOption& option() const { return engine == Engine::native ? native : cgroup; }
};

// `via` none means auto. `wanted` empty means "in general": what explain and list show.
EngineChoice choose_engine(const DiskFacts& facts, const Limits& wanted, Engine via, bool adopt);

} // namespace penstock
