// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::lxc {

// Where LXC keeps a container and what it is called: "/var/lib/lxc" and "web".
struct ContainerName {
    std::string lxcpath;
    std::string name;

    // "/var/lib/lxc/web", with every run of slashes made one.
    std::string id() const;
    // The abstract socket liblxc listens on, without its leading NUL. A path that is too long for one is hashed.
    std::string command_socket() const;

    bool operator==(const ContainerName&) const = default;
};

// "[lxc monitor] LXCPATH NAME": every way to read it, because both may hold spaces. The likeliest comes first.
// A title is one string without arguments; anything else is a program that was merely started under such a name.
std::vector<ContainerName> parse_monitor_title(std::string_view command_line);

// A foreground lxc-start or lxc-execute keeps its own command line.
bool is_foreground_start(std::string_view command_line);

// The container that a foreground start is about, given the address of a socket it listens on. Nothing where its
// command line does not speak of that container.
std::optional<ContainerName> match_foreground(std::string_view command_line, std::string_view address);

// "/var/lib/lxc/web/command" taken apart; nothing for a hashed address.
std::optional<ContainerName> parse_command_address(std::string_view address);

} // namespace penstock::lxc
