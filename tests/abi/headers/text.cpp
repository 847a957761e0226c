// SPDX-License-Identifier: Apache-2.0
#include <penstock/text.hpp>

namespace sdk = penstock::sdk;

int main() { return sdk::number<int>(sdk::split("1 2", ' ')[1]).value_or(0) == 2 ? 0 : 1; }
