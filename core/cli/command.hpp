// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "cli/exit_code.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// What stood on the command line behind the verb.
struct Arguments {
    boost::program_options::variables_map options;
    std::vector<std::string> operands;

    bool has(const char* option) const { return options.count(option) != 0; }
    bool json() const { return has("json"); }
};

// One verb. Each has a file of its own.
struct Command {
    std::string_view name;
    std::string_view operands; // "INSTANCE[:DISK]"
    std::size_t least_operands;
    std::size_t most_operands;
    std::string_view summary;
    std::string_view examples;
    void (*add_options)(boost::program_options::options_description&); // nullptr: none of its own
    Result<ExitCode> (*run)(const Arguments&);
};

extern const Command clear_command, doctor_command, explain_command, gc_command, list_command, plugins_command,
    release_command, set_command, show_command, status_command;

std::span<const Command* const> all_commands();

// The options that every verb has.
boost::program_options::options_description common_options();

// Everything behind the verb. INVALID names the option and what is near it.
Result<Arguments> parse_arguments(const Command& command, const std::vector<std::string>& words);

std::string help_of(const Command& command);
std::string overall_help();

} // namespace penstock
