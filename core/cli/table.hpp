// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace penstock {

// Columns aligned by spaces, the last one free. Cells must be printable.
class Table {
public:
    explicit Table(std::vector<std::string> header) { add(std::move(header)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print() const; // to standard output

private:
    std::vector<std::vector<std::string>> rows_;
};

} // namespace penstock
