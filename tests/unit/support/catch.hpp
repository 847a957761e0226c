// SPDX-License-Identifier: Apache-2.0
// Catch2 under one name: version 2 on Debian 12, version 3 on Debian 13.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <boost/system/result.hpp>

// Boost prints a result through its value's operator<<, which most of ours do not have.
template <class T, class E>
struct Catch::StringMaker<boost::system::result<T, E>> {
    static std::string convert(const boost::system::result<T, E>& result) {
        return result ? "a value" : "error: " + Catch::Detail::stringify(result.error());
    }
};
