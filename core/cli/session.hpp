// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "enforce/journal.hpp"
#include "observe/status.hpp"
#include "plugin/plugin_set.hpp"
#include "resolve/inventory.hpp"

#include <string>
#include <vector>

namespace penstock {

// The library as one command uses it.
class Session {
public:
    explicit Session(const Arguments& arguments);

    Inventory& inventory() { return inventory_; }
    const Journal& journal() const { return journal_; }
    PluginSet& plugins() { return plugins_; }

    // An instance by address. GONE where it is not running, but a limit of ours says that it was.
    Result<Inventory::Found> find(const std::string& address);

    // The disk that an address means: the one it names, or the only one there is.
    Result<const DiskView*> pick_disk(const Inventory::Found& found);

    // All instances with their disks' status. Warnings are added to `warnings`.
    struct Entry {
        InstanceView view;
        std::vector<DiskStatus> disks;
    };
    std::vector<Entry> survey(Depth depth, std::vector<Error>& warnings);
    Entry entry_of(InstanceView view, Depth depth);

private:
    PluginSet plugins_;
    Inventory inventory_;
    Journal journal_;
};

} // namespace penstock
