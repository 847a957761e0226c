// SPDX-License-Identifier: Apache-2.0
#include "container_name.hpp"

#include "text.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <cstdio>
#include <sys/un.h>

namespace penstock::lxc {

namespace {

constexpr std::string_view title_prefix = "[lxc monitor] ";
constexpr std::string_view address_suffix = "/command";
constexpr std::size_t readings_cap = 16;
constexpr std::size_t words_cap = 64;

std::uint64_t fnv1a_64(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

bool valid(const ContainerName& container) {
    return container.lxcpath.starts_with('/') && !container.name.empty() && container.name != "." &&
           container.name != ".." && container.name.find('/') == std::string::npos;
}

} // namespace

std::string ContainerName::id() const {
    std::string out;
    for (const char c : lxcpath + "/" + name) {
        if (c != '/' || !out.ends_with('/')) out += c;
    }
    return out;
}

std::string ContainerName::command_socket() const {
    // liblxc leaves room for the leading NUL and a trailing one, and its snprintf needs a third.
    constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 3;
    const auto where = lxcpath + "/" + name;
    if (where.size() + address_suffix.size() <= longest) return where + std::string{address_suffix};
    char hashed[40];
    std::snprintf(hashed, sizeof hashed, "lxc/%016llx/command", static_cast<unsigned long long>(fnv1a_64(where)));
    return hashed;
}

std::vector<ContainerName> parse_monitor_title(std::string_view command_line) {
    std::vector<ContainerName> readings;
    if (command_line.ends_with('\0')) command_line.remove_suffix(1);
    if (!command_line.starts_with(title_prefix) || command_line.find('\0') != std::string_view::npos) return readings;
    const auto rest = command_line.substr(title_prefix.size());
    // A name has no slash, so the space that ends the path stands after the last one.
    for (auto space = rest.find(' ', std::min(rest.rfind('/'), rest.size())); space != std::string_view::npos;
         space = rest.find(' ', space + 1)) {
        ContainerName reading{std::string{rest.substr(0, space)}, std::string{rest.substr(space + 1)}};
        if (valid(reading)) readings.push_back(std::move(reading));
        if (readings.size() == readings_cap) break;
    }
    return readings;
}

std::optional<ContainerName> parse_command_address(std::string_view address) {
    if (!address.starts_with('/') || !address.ends_with(address_suffix)) return std::nullopt;
    address.remove_suffix(address_suffix.size());
    const auto slash = address.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    ContainerName container{std::string{slash == 0 ? "/" : address.substr(0, slash)},
                            std::string{address.substr(slash + 1)}};
    return valid(container) ? std::optional{std::move(container)} : std::nullopt;
}

bool is_foreground_start(std::string_view command_line) {
    const auto program = take_until(command_line, '\0');
    const auto base = program.substr(program.rfind('/') + 1);
    return base == "lxc-start" || base == "lxc-execute";
}

std::optional<ContainerName> match_foreground(std::string_view command_line, std::string_view address) {
    if (command_line.ends_with('\0')) command_line.remove_suffix(1);
    std::vector<std::string_view> names, paths{"/var/lib/lxc"};
    for (auto word : sdk::split(command_line, '\0')) {
        if (names.size() == words_cap) break;
        for (const std::string_view option : {"--name=", "--lxcpath=", "-n", "-P"}) {
            if (word.starts_with(option) && word.size() > option.size()) word.remove_prefix(option.size());
        }
        names.push_back(word);
        if (word.starts_with('/')) paths.push_back(word);
    }
    if (const auto spelled = parse_command_address(address)) {
        const bool mentioned = std::find(names.begin(), names.end(), spelled->name) != names.end();
        return mentioned ? spelled : std::nullopt;
    }
    for (const auto path : paths) {
        for (const auto name : names) {
            ContainerName guess{std::string{path}, std::string{name}};
            if (valid(guess) && guess.command_socket() == address) return guess;
        }
    }
    return std::nullopt;
}

} // namespace penstock::lxc
