// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session.hpp"
#include "enforce/limiter.hpp"

#include <boost/json/fwd.hpp>

namespace penstock {

// The JSON of --json. Its keys are described in docs/cli.md and stay; new ones may come.
boost::json::object to_json(const Error& error);
boost::json::object to_json(const Verdict& verdict);
boost::json::object to_json(const Session::Entry& entry); // an instance with its disks
boost::json::object to_json(const BackingChain& chain);
boost::json::object to_json(const EngineOption& option);
boost::json::object to_json(const Outcome& outcome, const Hierarchy* hierarchy); // of set and clear
void print_json(const boost::json::value& value);                                // to standard output

} // namespace penstock
