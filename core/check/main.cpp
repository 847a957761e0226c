// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "check/report.hpp"

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

using namespace penstock::check;

namespace {

namespace po = boost::program_options;

constexpr int exit_passed = 0, exit_failed = 1, exit_usage = 2;

po::options_description options() {
    po::options_description out{"Options"};
    auto add = out.add_options();
    add("only", po::value<std::vector<std::string>>()->value_name("GROUP[/CASE]"), "run these alone; may be repeated");
    add("seed", po::value<std::uint64_t>()->value_name("NUMBER")->default_value(1),
        "of the group fuzz: the same gives the same input");
    add("seconds", po::value<int>()->value_name("COUNT")->default_value(20), "that one case may take");
    add("format", po::value<std::string>()->value_name("FORMAT")->default_value("text"), "text, tap, json or junit");
    add("list", "print the cases and what each checks, and end");
    add("version", "print the version");
    add("help", "print this");
    return out;
}

int usage(const std::string& problem) {
    fmt::print(stderr, "penstock-plugin-check: {}; try --help\n", problem);
    return exit_usage;
}

bool wanted(const Case& what, const std::vector<std::string>& only) {
    if (only.empty()) return true;
    for (const auto& name : only)
        if (name == what.group || name == what.full_name()) return true;
    return false;
}

int run(const po::variables_map& given) {
    const auto format = parse_format(given["format"].as<std::string>());
    if (!format) return usage("there is no format '" + penstock::printable(given["format"].as<std::string>()) + "'");
    const auto only =
        given.count("only") != 0 ? given["only"].as<std::vector<std::string>>() : std::vector<std::string>{};
    std::vector<Case> cases;
    for (const auto& what : all_cases())
        if (wanted(what, only)) cases.push_back(what);
    for (const auto& name : only) {
        bool known = false;
        for (const auto& what : cases) known = known || wanted(what, {name});
        if (!known) return usage("there is no case or group '" + penstock::printable(name) + "'; --list shows them");
    }
    if (given.count("list") != 0) {
        for (const auto& what : cases)
            fmt::print("{:<26} {} (docs/plugins.md#{})\n", what.full_name(), what.sentence, what.rule);
        return exit_passed;
    }
    if (given.count("plugin") == 0) return usage("which plugin?");
    const auto& name = given["plugin"].as<std::string>();
    char path[PATH_MAX]; // whole, since a name without a slash would be looked for in the system's folders
    if (::realpath(name.c_str(), path) == nullptr) return usage("no plugin " + penstock::printable(name));
    if (given["seconds"].as<int>() < 1) return usage("--seconds must be 1 or more");
    const RunOptions how{path, given["seed"].as<std::uint64_t>(), given["seconds"].as<int>()};
    std::vector<Outcome> outcomes;
    bool failed = false;
    for (const auto& what : cases) {
        outcomes.push_back(run_case(what, how));
        failed = failed || outcomes.back().result == Result::failed;
        if (*format == Format::text) {
            fmt::print("{}", line(outcomes.back()));
            std::fflush(stdout);
        }
    }
    fmt::print("{}", report(*format, how.library, how.seed, outcomes));
    return failed ? exit_failed : exit_passed;
}

} // namespace

int main(int argc, char** argv) {
    try {
        auto all = options();
        const auto shown = options();
        all.add_options()("plugin", po::value<std::string>());
        po::positional_options_description positional;
        positional.add("plugin", 1);
        po::variables_map given;
        po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(), given);
        po::notify(given);
        if (given.count("version") != 0) {
            fmt::print("penstock-plugin-check {}\n", PENSTOCK_VERSION);
            return exit_passed;
        }
        if (given.count("help") != 0) {
            std::ostringstream text;
            text << shown;
            fmt::print("Usage: penstock-plugin-check [OPTION...] PLUGIN.so\n\nChecks whether a plugin keeps the "
                       "contract of penstock/plugin.h, on "
                       "this host and whatever runs on it.\nIt changes nothing. Each case runs in a process of its "
                       "own.\n\n{}\n"
                       "Exit codes: 0 all passed or skipped, 1 some failed, 2 usage.\n",
                       text.str());
            return exit_passed;
        }
        return run(given);
    } catch (const po::error& e) {
        return usage(e.what());
    }
}
