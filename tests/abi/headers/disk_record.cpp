// SPDX-License-Identifier: Apache-2.0
#include <penstock/disk_record.hpp>

struct Mine : penstock::sdk::OwnedDisk {
    int more = 0;
};

// As a plugin calls it: unqualified, with a disk of its own.
bool report(const Mine& disk, penstock::sdk::Sink<penstock_disk> sink) { return emit(disk, sink); }

int main() { return penstock::sdk::UniqueTargets{}.take("vda") != "vda"; }
