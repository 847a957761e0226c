// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "qmp_client.hpp"
#include "qmp_socket.hpp"

#include <optional>

namespace penstock::kvm {

// Is the process still the one that was found?
bool is_alive(int proc, const Guest& guest);

// Opens the first QMP socket of a guest that greets. GONE only if the process has ended.
sdk::Status open_qmp(int proc, const Guest& guest, const GuestPaths& paths, const Deadline& deadline,
                     std::chrono::milliseconds patience, std::optional<QmpClient>& out);

// An error of a conversation, seen with what became of the process meanwhile.
sdk::Status concluded(int proc, const Guest& guest, sdk::Status status);

} // namespace penstock::kvm
