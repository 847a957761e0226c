// SPDX-License-Identifier: Apache-2.0
#include <penstock/file.hpp>

namespace sdk = penstock::sdk;

int main() {
    const sdk::Fd proc = sdk::open_directory(AT_FDCWD, "/proc");
    const auto text = sdk::read_file(proc.get(), "version", 4096, {.one_piece = true});
    const auto link = sdk::read_link(proc.get(), "self");
    const bool listed = sdk::for_each_entry(proc.get(), [](const char*, unsigned char) { return false; });
    return text && link && listed ? 0 : 1;
}
