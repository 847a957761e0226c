// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.hpp>

#include <string>

namespace mine {

// One instance for each file NAME.pid in <run>/mine: its first line is the pid of the process that does the I/O, each
// further line the path of a disk image or block device. Put your hypervisor in the place of these files.
class Mine {
public:
    static constexpr penstock::sdk::Info info{.id = "org.example.mine",
                                              .name = "Mine",
                                              .vendor = "Example",
                                              .version = "1.0.0",
                                              .kind = "mine",
                                              .thread_model =
                                                  PENSTOCK_THREADS_PARALLEL, // nothing here changes after construction
                                              .needs = PENSTOCK_NEEDS_ROOT};

    explicit Mine(penstock::sdk::Host host);

    penstock::sdk::Status probe(const penstock::sdk::Call& call, penstock::sdk::Sink<penstock_probe> emit);
    penstock::sdk::Status enumerate_instances(const penstock::sdk::Call& call,
                                              penstock::sdk::Sink<penstock_instance> emit);
    penstock::sdk::Status enumerate_disks(const penstock::sdk::Call& call, const penstock::sdk::Key& key,
                                          penstock::sdk::Sink<penstock_disk> emit);
    penstock::sdk::Status enumerate_actors(const penstock::sdk::Call& call, const penstock::sdk::Key& key,
                                           penstock::sdk::Sink<penstock_actor> emit);

private:
    std::string folder_; // <run>/mine
    std::string proc_;
};

} // namespace mine
