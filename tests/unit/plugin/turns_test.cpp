// SPDX-License-Identifier: Apache-2.0
#include "plugin/turns.hpp"

#include "catch.hpp"

#include <thread>

using namespace penstock;
using namespace std::chrono_literals;

namespace {

// Whether another thread gets its turn while this one is held.
bool another_gets(Turns& turns, std::string_view instance) {
    bool got = false;
    std::thread{[&] { got = turns.wait(instance, std::chrono::steady_clock::now() + 20ms).has_value(); }}.join();
    return got;
}

Deadline soon() { return std::chrono::steady_clock::now() + 1s; }

} // namespace

TEST_CASE("SERIAL, and a model that nobody knows: one call at a time") {
    Turns turns;
    turns.set_model(GENERATE(PENSTOCK_THREADS_SERIAL, 99U));
    {
        const auto turn = turns.wait("a", soon());
        REQUIRE(turn);
        CHECK(!another_gets(turns, "b"));
        CHECK(!another_gets(turns, ""));
    }
    CHECK(another_gets(turns, "b"));
}

TEST_CASE("PER_INSTANCE: one call at a time for each instance") {
    Turns turns;
    turns.set_model(PENSTOCK_THREADS_PER_INSTANCE);
    const auto turn = turns.wait("a", soon());
    CHECK(!another_gets(turns, "a"));
    CHECK(another_gets(turns, ""));
    int others = 0;
    for (int i = 0; i < 100; ++i) others += another_gets(turns, "instance " + std::to_string(i));
    CHECK(others > 80); // some share a place with "a"
}

TEST_CASE("PARALLEL: any call at any time") {
    Turns turns;
    turns.set_model(PENSTOCK_THREADS_PARALLEL);
    const auto turn = turns.wait("a", soon());
    CHECK(another_gets(turns, "a"));
}

TEST_CASE("a turn that is free is given even where the deadline has passed") {
    Turns turns;
    CHECK(turns.wait("a", std::chrono::steady_clock::now() - 1s));
}
