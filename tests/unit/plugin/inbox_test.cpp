// SPDX-License-Identifier: Apache-2.0
#include "plugin/inbox.hpp"

#include "catch.hpp"

#include <atomic>
#include <memory>
#include <thread>

using namespace penstock;

namespace {

struct Letter {
    int value;
};
struct Parcel {
    int value;
};

} // namespace

TEST_CASE("an inbox takes records while it is open, and tells a late sender to stop") {
    int sum = 0;
    auto inbox = std::make_unique<Inbox<Letter>>([&](const Letter* letter) { return sum += letter->value, 0; });
    const Letter letter{5};
    void* const ctx = inbox->ctx();
    CHECK(Inbox<Letter>::emit(ctx, &letter) == 0);
    inbox->close();
    CHECK(Inbox<Letter>::emit(ctx, &letter) != 0);
    inbox.reset();
    CHECK(Inbox<Letter>::emit(ctx, &letter) != 0);
    CHECK(sum == 5);
}

TEST_CASE("a ticket is good for its own inbox only") {
    int first = 0, second = 0;
    Inbox<Letter> one{[&](const Letter*) { return ++first, 0; }};
    void* const old = one.ctx();
    one.close();
    Inbox<Letter> two{[&](const Letter*) { return ++second, 0; }};
    const Letter letter{1};
    Inbox<Letter>::emit(old, &letter);
    Inbox<Letter>::emit(nullptr, &letter);
    Inbox<Letter>::emit(reinterpret_cast<void*>(~std::uintptr_t{0}), &letter);
    CHECK(first == 0);
    CHECK(second == 0);
}

TEST_CASE("a ticket of one kind of record opens no inbox of another") {
    int taken = 0;
    Inbox<Letter> letters{[&](const Letter*) { return ++taken, 0; }};
    int parcels_taken = 0;
    Inbox<Parcel> parcels{[&](const Parcel*) { return ++parcels_taken, 0; }};
    const Parcel parcel{1};
    CHECK(Inbox<Parcel>::emit(letters.ctx(), &parcel) != 0);
    CHECK(taken == 0);
    CHECK(parcels_taken == 0);
    CHECK(letters.ctx() != parcels.ctx());
}

TEST_CASE("nothing is taken once close has returned, whichever thread sends") {
    std::atomic<bool> closed{false}, late{false}, done{false};
    std::atomic<int> taken{0};
    Inbox<Letter> inbox{[&](const Letter*) {
        if (closed) late = true;
        return ++taken, 0;
    }};
    std::thread sender{[&, ctx = inbox.ctx()] {
        const Letter letter{1};
        while (!done) Inbox<Letter>::emit(ctx, &letter);
    }};
    while (taken < 100) std::this_thread::yield();
    inbox.close();
    closed = true;
    for (int i = 0; i < 100; ++i) std::this_thread::yield();
    done = true;
    sender.join();
    CHECK(!late);
}
