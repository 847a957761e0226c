// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "enforce/executor.hpp"
#include "enforce/journal.hpp"
#include "model/verdict.hpp"
#include "plan/planner.hpp"
#include "resolve/inventory.hpp"

#include <string>
#include <vector>

namespace penstock {

struct SetOptions {
    Engine via = Engine::none; // none: auto
    std::string layer;         // of the backing chain; empty: the best one, or the one that was chosen before
    bool adopt = false;
    bool force = false;
    bool dry_run = false;
    void (*announce)(const Plan&) = nullptr; // called before a plan is carried out
};

// What was done, or with dry_run would be done, to one disk.
struct Outcome {
    std::string disk;
    EngineChoice choice;
    Plan plan;
    Verdict verdict;
    std::vector<std::string> warnings;
};

// Sets and clears limits: chooses the engine, plans, keeps the journal, carries out, reads back.
class Limiter {
public:
    Limiter(Inventory& inventory, const Journal& journal) : inventory_{inventory}, journal_{journal} {}

    // Sets the fields of `change` on one disk and leaves its other limits alone. An empty change applies again what the
    // journal says. Nothing is changed where an error is returned, except PARTIAL.
    Result<Outcome> set(const Inventory::Found& found, const DiskView& disk, const Limits& change,
                        const SetOptions& options);

    // Removes fields. What others had set before us comes back, and our cgroup goes with its last limit.
    Result<Outcome> clear(const Inventory::Found& found, const DiskView& disk, const LimitFields& fields, bool dry_run);

private:
    struct State;
    Result<State> begin(const Inventory::Found& found, bool dry_run);
    Executor executor(const Inventory::Found& found) const;

    Inventory& inventory_;
    const Journal& journal_;
};

// The verdict on limits that were read back as wanted.
Verdict verdict_of(const EngineOption& option);

} // namespace penstock
