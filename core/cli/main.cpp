// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

using namespace penstock;

namespace {

const Command* find_command(const std::string& name) {
    const auto commands = all_commands();
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const Command* c) { return c->name == name; });
    return found == commands.end() ? nullptr : *found;
}

// Options may stand before the verb too: `penstock --json list`.
std::size_t verb_position(const std::vector<std::string>& words) {
    std::size_t i = 0;
    while (i < words.size() && words[i].starts_with('-'))
        i += words[i] == "--plugin-dir" || words[i] == "--run-dir" || words[i] == "--isolation" ? 2 : 1;
    return i;
}

Result<ExitCode> run(std::vector<std::string> words) {
    const auto at = verb_position(words);
    if (at >= words.size() || words[at] == "help") {
        if (std::find(words.begin(), words.end(), "--version") != words.end()) {
            fmt::print("penstock {}\n", PENSTOCK_VERSION);
            return ExitCode::ok;
        }
        const auto* about = at + 1 < words.size() ? find_command(words[at + 1]) : nullptr;
        const bool asked = at < words.size() || std::find(words.begin(), words.end(), "--help") != words.end();
        fmt::print(asked ? stdout : stderr, "{}", about != nullptr ? help_of(*about) : overall_help());
        return asked ? ExitCode::ok : ExitCode::usage;
    }
    const auto verb = words[at];
    const auto* command = find_command(verb);
    if (command == nullptr) {
        std::vector<std::string> known;
        for (const auto* c : all_commands()) known.emplace_back(c->name);
        const auto near = suggest(verb, known);
        return Error{ErrorCode::invalid, fmt::format("unknown verb '{}'", printable(verb))}.advise(
            near.empty() ? "see 'penstock --help'" : near);
    }
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    auto arguments = parse_arguments(*command, words);
    if (!arguments) return arguments.error();
    if (arguments->has("help")) {
        fmt::print("{}", help_of(*command));
        return ExitCode::ok;
    }
    return command->run(*arguments);
}

} // namespace

int main(int argc, char** argv) {
    const auto result = run({argv + 1, argv + argc});
    if (!result) report(result.error());
    if (std::fflush(stdout) != 0) return static_cast<int>(ExitCode::failure);
    return static_cast<int>(result ? *result : exit_code(result.error()));
}
