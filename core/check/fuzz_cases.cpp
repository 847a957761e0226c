// SPDX-License-Identifier: Apache-2.0
// Input that nobody would send: hostile keys, disks and configuration. The same seed gives the same input.
#include "check/subject.hpp"

#include <fmt/format.h>

#include <array>
#include <random>

namespace penstock::check {
namespace {

constexpr int rounds = 400;

class Noise {
public:
    explicit Noise(std::uint64_t seed) : random_{seed} {}

    std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random_); }

    // Often what hurts, else bytes.
    std::string text() {
        static const std::array<std::string, 12> nasty{
            "",       "/",        "..", "../../../../etc/passwd", "a/../b", std::string(1, '\0'),
            "%s%n%s", "\xff\xfe", "-1", "99999999999999999999",   "1-1",    "/proc/self/fd/0"};
        if (below(2) == 0) return nasty[below(nasty.size())];
        if (below(10) == 0) return std::string(below(70'000), static_cast<char>(below(256)));
        std::string out(below(40), '\0');
        for (auto& c : out) c = static_cast<char>(below(256));
        return out;
    }

    // `from` with some bytes changed, cut or added.
    std::string bent(std::string from) {
        for (std::size_t i = below(3) + 1; i-- > 0 && !from.empty();)
            from[below(from.size())] = static_cast<char>(below(256));
        if (below(3) == 0) from.resize(below(from.size() + 1));
        if (below(3) == 0) from += text();
        return from;
    }

private:
    std::mt19937_64 random_;
};

void judge(const char* what, const Answer& answer, const std::string& input, Verdict& verdict) {
    verdict.expect(answer.code <= 0 && answer.code != PENSTOCK_E_INTERNAL,
                   fmt::format("{} gives {} for {}", what, answer.text(), input));
}

void keys(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    Noise noise{subject.seed()};
    const auto real = object->keys();
    for (int i = 0; i < rounds && verdict.failures().size() < 5; ++i) {
        OwnedKey key{std::string{view(subject.descriptor(verdict)->kinds[0])}, noise.text(), noise.text()};
        if (!real.empty() && noise.below(2) == 0) {
            key = real[noise.below(real.size())];
            (noise.below(2) == 0 ? key.id : key.incarnation) =
                noise.bent(noise.below(2) == 0 ? key.id : key.incarnation);
        }
        const auto contract = key.contract();
        const auto input = fmt::format("an id of {} bytes in round {}", key.id.size(), i);
        judge("enumerate_disks()", object->disks(contract, [](const auto&) { return 0; }), input, verdict);
        judge("enumerate_actors()", object->actors(contract, [](const auto&) { return 0; }), input, verdict);
        if (!object->has_limits()) continue;
        const auto disk = noise.text();
        judge("read()", object->limits(contract, str(disk), [](const auto&) { return 0; }), input, verdict);
        judge("support()", object->support(contract, str(disk), [](const auto&) { return 0; }), input, verdict);
    }
}

void configuration(Subject& subject, Verdict& verdict) {
    TestHost plain;
    if (!subject.object(verdict, plain)) return; // else a call may go nowhere
    Noise noise{subject.seed()};
    for (int i = 0; i < 20 && verdict.failures().size() < 5; ++i) {
        TestHost host;
        host.config = [&](std::string_view) { return noise.text(); };
        const auto* entry = subject.entry(verdict);
        if (entry == nullptr) return;
        Object object{*entry, host}; // it may refuse what it is told
        if (!object) continue;
        (void)object.probe([](const auto&) { return 0; });
        judge("enumerate_instances()", object.instances([](const auto&) { return 0; }), "configuration of noise",
              verdict);
    }
}

constexpr std::array cases{Case{"fuzz", "keys", "hostile", "no key brings it down", keys},
                           Case{"fuzz", "configuration", "hostile", "no configuration brings it down", configuration}};

} // namespace

std::span<const Case> fuzz_cases() { return cases; }

} // namespace penstock::check
