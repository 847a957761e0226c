// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"
#include "enforce/record.hpp"
#include "sys/roots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace penstock {

// What we have set, one file for each instance below <run>/penstock/limits. Files of an earlier boot are not believed:
// limits do not outlive the kernel.
class Journal {
public:
    explicit Journal(const Roots& roots);

    // Held by whoever changes a limit; waits for another one to finish, at most ten seconds.
    Result<Fd> lock() const;

    Result<std::optional<InstanceRecord>> load(const InstanceKey& key) const;
    // Every record; files that cannot be understood are named in `problems`.
    std::vector<InstanceRecord> load_all(std::vector<std::string>* problems = nullptr) const;

    Result<void> save(const InstanceRecord& record) const; // one without disks is removed
    const std::string& directory() const { return directory_; }

private:
    std::string path_of(const InstanceKey& key) const;
    Result<std::optional<InstanceRecord>> load_file(const std::string& path) const;

    std::string directory_;
    std::string boot_id_;
};

} // namespace penstock
