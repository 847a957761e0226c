// SPDX-License-Identifier: Apache-2.0
// Boost.JSON is used header-only: this file holds its code.
#include <boost/json/src.hpp>
