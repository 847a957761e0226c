// SPDX-License-Identifier: Apache-2.0
// Boost.JSON is header-only here: its definitions are compiled in this one place.
#include <boost/json/src.hpp>
