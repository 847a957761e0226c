// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

// A captured file of tests/data/lxc.
inline std::string captured(const std::string& name) {
    std::ifstream file{PENSTOCK_TEST_DATA "/lxc/" + name, std::ios::binary};
    if (!file) throw std::runtime_error{"no test data " + name};
    return {std::istreambuf_iterator<char>{file}, {}};
}
