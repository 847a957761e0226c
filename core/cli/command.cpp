// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include "base/suggestion.hpp"
#include "base/text.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <fmt/format.h>

#include <array>
#include <sstream>

namespace penstock {
namespace {

namespace po = boost::program_options;

po::options_description options_of(const Command& command) {
    po::options_description options;
    if (command.add_options != nullptr) {
        po::options_description own{"Options"};
        command.add_options(own);
        options.add(own);
    }
    return options.add(common_options());
}

std::vector<std::string> names(const po::options_description& options) {
    std::vector<std::string> out;
    for (const auto& option : options.options()) out.push_back("--" + option->long_name());
    return out;
}

Error usage(const Command& command, std::string message, std::string next = {}) {
    if (next.empty()) next = fmt::format("see 'penstock {} --help'", command.name);
    return Error{ErrorCode::invalid, std::move(message)}.advise(std::move(next));
}

} // namespace

std::span<const Command* const> all_commands() {
    static constexpr std::array commands{&list_command,    &show_command,    &explain_command, &set_command,
                                         &clear_command,   &release_command, &status_command,  &gc_command,
                                         &plugins_command, &doctor_command};
    return commands;
}

po::options_description common_options() {
    po::options_description options{"Common options"};
    auto add = options.add_options();
    add("json", "print JSON, described in docs/cli.md");
    add("plugin-dir", po::value<std::string>()->value_name("DIR"), "look for plugins in DIR and nowhere else");
    add("isolation", po::value<std::string>()->value_name("WHERE"),
        "where plugins run: auto (default: those of others in processes of their own), process or in-process");
    add("run-dir", po::value<std::string>()->value_name("DIR"), "keep the journal below DIR instead of /run");
    add("debug", "say what is done, on standard error");
    add("help", "print this help");
    return options;
}

Result<Arguments> parse_arguments(const Command& command, const std::vector<std::string>& words) {
    auto options = options_of(command);
    const auto known = names(options);
    options.add_options()("operands", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("operands", -1);
    Arguments arguments;
    try {
        // No guessing: an option that is cut short today must not mean another one tomorrow.
        const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
        po::store(po::command_line_parser{words}.options(options).positional(positional).style(style).run(),
                  arguments.options);
        po::notify(arguments.options);
    } catch (const po::unknown_option& e) {
        return usage(command, fmt::format("unknown option '{}'", printable(e.get_option_name())),
                     suggest(e.get_option_name(), known));
    } catch (const po::error& e) {
        return usage(command, printable(e.what()));
    }
    if (arguments.has("operands")) arguments.operands = arguments.options["operands"].as<std::vector<std::string>>();
    if (arguments.has("help")) return arguments;
    const auto where = arguments.has("isolation") ? arguments.options["isolation"].as<std::string>() : "auto";
    if (where != "auto" && where != "process" && where != "in-process")
        return usage(command, fmt::format("--isolation is auto, process or in-process, not '{}'", printable(where)));
    if (arguments.operands.size() < command.least_operands)
        return usage(command, fmt::format("'{}' needs {}", command.name, command.operands));
    if (arguments.operands.size() > command.most_operands)
        return usage(command,
                     fmt::format("'{}' is one word too many", printable(arguments.operands[command.most_operands])));
    return arguments;
}

std::string help_of(const Command& command) {
    std::ostringstream options;
    options << options_of(command);
    return fmt::format("Usage: penstock {}{}{} [OPTION...]\n\n{}\n{}\nExamples:\n{}", command.name,
                       command.operands.empty() ? "" : " ", command.operands, command.summary, options.str(),
                       command.examples);
}

std::string overall_help() {
    std::string text = "Usage: penstock VERB [OPERAND] [OPTION...]\n\n"
                       "Sets, proves and clears disk-I/O limits of virtual machines and containers.\n\nVerbs:\n";
    for (const auto* command : all_commands()) text += fmt::format("  {:<9} {}\n", command->name, command->summary);
    return text + "\n"
                  "INSTANCE is a name or a uuid as 'penstock list' shows it, with KIND/ before it where names collide: "
                  "kvm/db1.\n"
                  "Sizes are bytes, with k M G T for powers of 1000 and Ki Mi Gi Ti for powers of 1024.\n"
                  "Exit codes: 0 done, 1 failure, 2 usage, 3 no such instance or disk, 4 it has ended, 5 refused or "
                  "impossible,\n"
                  "6 a limit is not in force, 7 permission.\n\n"
                  "'penstock VERB --help' tells more. 'penstock --version' prints the version.\n";
}

} // namespace penstock
