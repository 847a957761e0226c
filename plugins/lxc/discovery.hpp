// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_sockets.hpp"
#include "container.hpp"
#include "process.hpp"

#include <penstock/process.hpp>

#include <functional>
#include <unordered_set>

namespace penstock::lxc {

// Finds every running container: README.md says how, and what is verified before one is believed.
class Discovery {
public:
    // log: told what was not believed, and why.
    Discovery(const Processes& processes, const CgroupMounts& mounts, bool nested,
              std::function<void(const std::string&)> log);

    std::vector<Container> run();

private:
    void look_at(int pid, const Container* outer);
    void look_everywhere();
    void descend();
    std::optional<ContainerName> container_of_monitor(std::string_view command_line) const;
    std::optional<ContainerName> container_of_foreground(int pid, std::string_view command_line) const;
    std::vector<CommandSocket> sockets_held_by(int pid) const;
    bool has_socket(const ContainerName& container) const;
    bool trusted(int pid, uid_t uid, const ContainerName& container, const Container* outer) const;
    std::optional<sdk::ProcessStat> init_of(int monitor) const;
    bool all_sockets_explained() const;

    const Processes& processes_;
    const CgroupMounts& mounts_;
    const bool nested_;
    const std::function<void(const std::string&)> log_;
    std::vector<CommandSocket> sockets_;
    std::unordered_set<std::string> explained_; // addresses whose listener was found
    std::unordered_set<int> seen_;
    std::unordered_set<std::string> ids_;
    std::vector<Container> found_;
};

} // namespace penstock::lxc
