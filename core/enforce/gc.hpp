// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "enforce/journal.hpp"
#include "model/instance.hpp"
#include "resolve/inventory.hpp"

#include <string>
#include <vector>

namespace penstock {

// A limit of ours that stands for nothing any more.
struct StaleLimit {
    InstanceKey key;
    std::string name; // of the instance
    std::string disk;
    Limits wanted;
    std::string why;
    bool lifted = false; // it was still in the kernel, and has been (or with dry_run would be) lifted there
};

struct GcOptions {
    bool ended = false; // also the limits of instances that are not running
    bool dry_run = false;
};

// Finds limits whose device has gone or whose number stands for another device now, lifts what the kernel still holds
// of them and forgets them: a recycled number must not inherit a limit. Instances that are not running keep theirs, for
// `set` to apply again, unless `ended` is set. Other people's limits are never touched.
Result<std::vector<StaleLimit>> collect_garbage(Inventory& inventory, const Journal& journal, const GcOptions& options);

} // namespace penstock
