// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cgroup/hierarchy.hpp"
#include "plugin/plugin_set.hpp"
#include "resolve/view.hpp"
#include "sys/roots.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// Instances of one listing, and what could not be listed.
struct InstanceList {
    std::vector<Instance> instances;
    std::vector<Error> warnings;
};

// All instances of the host, over all plugins. Thread-safe after construction.
class Inventory {
public:
    Inventory(Roots roots, PluginSet& plugins);

    const Roots& roots() const { return roots_; }
    const Result<Hierarchy>& hierarchy() const { return hierarchy_; }
    PluginSet& plugins() { return plugins_; }

    // Instances of `kind`, or of all kinds where it is empty. A plugin that fails is a warning.
    InstanceList list(std::string_view kind = {});

    // One instance by address, with its disks and placement; `disk` is what stood behind the colon.
    struct Found {
        InstanceView view;
        std::string disk;
        Plugin* plugin = nullptr;
    };
    Result<Found> find(std::string_view address);

    // The views of many instances at once, so that one which does not answer does not hold up the others. Those that
    // ended meanwhile are left out.
    std::vector<InstanceView> view_all(const std::vector<Instance>& instances, std::vector<Error>& warnings);

private:
    Roots roots_;
    PluginSet& plugins_;
    Result<Hierarchy> hierarchy_;
};

} // namespace penstock
