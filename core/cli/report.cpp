// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace penstock {
namespace {

void print(std::string_view what, std::string_view text, std::string_view next) {
    fmt::print(stderr, "penstock: {}{}\n", what, text);
    if (!next.empty()) fmt::print(stderr, "  next: {}\n", next);
}

} // namespace

void report(const Error& error) { print("", error.text(), error.next()); }
void warn(std::string_view text) { print("warning: ", text, {}); }
void warn(const Error& error) { print("warning: ", error.text(), error.next()); }

} // namespace penstock
