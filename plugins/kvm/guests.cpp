// SPDX-License-Identifier: Apache-2.0
#include "guests.hpp"

#include <penstock/file.hpp>
#include <penstock/text.hpp>

#include <algorithm>

namespace penstock::kvm {

std::vector<Guest> find_guests(int proc, const std::function<bool()>& go_on) {
    std::vector<int> pids;
    sdk::for_each_entry(proc, [&](const char* name, unsigned char) {
        if (const auto pid = sdk::number<int>(name)) pids.push_back(*pid);
        return true;
    });
    std::sort(pids.begin(), pids.end());
    std::vector<Guest> guests;
    for (std::size_t i = 0; i < pids.size(); ++i) {
        if (i % 64 == 0 && !go_on()) break;
        if (auto guest = read_guest(proc, pids[i])) guests.push_back(std::move(*guest));
    }
    return guests;
}

} // namespace penstock::kvm
