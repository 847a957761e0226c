// SPDX-License-Identifier: Apache-2.0
#include <penstock/process.hpp>

namespace sdk = penstock::sdk;

int main() {
    const sdk::Fd proc = sdk::open_directory(AT_FDCWD, "/proc");
    const auto init = sdk::read_process_stat(proc.get(), 1);
    if (!init || init->ended()) return 1;
    return sdk::parse_incarnation(sdk::Incarnation{init->pid, init->start}.text()) ? 0 : 1;
}
