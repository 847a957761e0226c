// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/instance.hpp"

#include <string>
#include <string_view>

namespace penstock {

inline constexpr std::string_view own_cgroup = "/penstock";

// A file or cgroup name for an instance: "kvm-<id>". The id comes from a guest or tenant: everything but letters,
// digits, '.', '_' and '-' is written as %XX, and a long one is cut and told apart by a hash.
std::string safe_name(const InstanceKey& key);

// "/penstock/kvm-<id>": the cgroup of an instance that has none of its own.
std::string cgroup_for(const InstanceKey& key);

bool is_own_cgroup(std::string_view path);

} // namespace penstock
