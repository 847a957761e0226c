// SPDX-License-Identifier: Apache-2.0
// The hypervisor's own limiter. Nothing that a guest has is changed: limits are read, and set only on what is not
// there.
#include "base/text.hpp"
#include "check/subject.hpp"
#include "plugin/contract_size.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace penstock::check {
namespace {

std::unique_ptr<Object> limiter(Subject& subject, Verdict& verdict, TestHost& host) {
    auto object = subject.object(verdict, host);
    if (object && !object->has_limits()) {
        verdict.skip(std::string{"the plugin has no "} + PENSTOCK_EXT_NATIVE_LIMIT);
        return nullptr;
    }
    return object;
}

// Calls `use` with each disk of each instance that says that its limiter works.
template <class Use>
void for_each_limited(Object& object, Use use) {
    for (const auto& key : object.keys()) {
        std::vector<std::string> disks;
        (void)object.disks(key.contract(), [&](const penstock_disk& disk) {
            if ((disk.flags & PENSTOCK_DISK_NATIVE_LIMIT) != 0) disks.emplace_back(view(disk.native_id));
            return 0;
        });
        for (const auto& disk : disks) use(key, disk);
    }
}

void support(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = limiter(subject, verdict, host);
    if (!object) return;
    for_each_limited(*object, [&](const OwnedKey& key, const std::string& disk) {
        const auto name = printable(key.id + ":" + disk);
        std::uint64_t seen = 0;
        const auto answer = object->support(key.contract(), str(disk), [&](const penstock_limit_support& field) {
            verdict.expect(std::has_single_bit(field.field) && (field.field & PENSTOCK_LIMIT_ALL) != 0,
                           fmt::format("{}: field {:#x} is not one bit of the contract", name, field.field));
            verdict.expect((seen & field.field) == 0,
                           fmt::format("{}: field {:#x} is reported twice", name, field.field));
            verdict.expect(field.support == PENSTOCK_SUPPORT_EMULATED || field.support == PENSTOCK_SUPPORT_NATIVE,
                           fmt::format("{}: support of field {:#x} is {}; what is not supported is left out", name,
                                       field.field, field.support));
            verdict.expect(field.minimum <= field.maximum,
                           fmt::format("{}: field {:#x} has a minimum above its maximum", name, field.field));
            verdict.expect(field.granularity != 0,
                           fmt::format("{}: field {:#x} has a granularity of 0; 1 is exact", name, field.field));
            seen |= field.field;
            return 0;
        });
        verdict.expect(answer.code == 0 || answer.code == PENSTOCK_E_GONE, name + ": support() gives " + answer.text());
    });
}

void read(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = limiter(subject, verdict, host);
    if (!object) return;
    for_each_limited(*object, [&](const OwnedKey& key, const std::string& disk) {
        const auto name = printable(key.id + ":" + disk);
        int records = 0;
        const auto answer = object->limits(key.contract(), str(disk), [&](const penstock_limits& limits) {
            ++records;
            verdict.expect(limits.struct_size >= size_1_0<penstock_limits>,
                           fmt::format("{}: struct_size is {}", name, limits.struct_size));
            verdict.expect(
                (limits.present & ~PENSTOCK_LIMIT_ALL) == 0,
                fmt::format("{}: present has bits that are not the contract's: {:#x}", name, limits.present));
            for (std::uint32_t rate = 0; rate < PENSTOCK_RATE_COUNT; ++rate)
                verdict.expect((limits.present & PENSTOCK_LIMIT_RATE(rate)) == 0 || limits.rate[rate] != 0,
                               fmt::format("{}: rate {} is present and 0; a field that is not limited is not present",
                                           name, rate));
            return 0;
        });
        if (answer.code == 0)
            verdict.expect(records == 1, fmt::format("{}: read() emits {} records, not one", name, records));
        verdict.expect(answer.code == 0 || answer.code == PENSTOCK_E_GONE, name + ": read() gives " + answer.text());
    });
}

void gone(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = limiter(subject, verdict, host);
    if (!object) return;
    const OwnedKey nobody{std::string{view(subject.descriptor(verdict)->kinds[0])}, "there-is-no-such-instance", "1-1"};
    const auto key = nobody.contract();
    const auto disk = str("no-such-disk");
    penstock_limits wanted{};
    wanted.struct_size = sizeof wanted;
    wanted.present = PENSTOCK_LIMIT_RATE(PENSTOCK_WRITE_BPS);
    wanted.rate[PENSTOCK_WRITE_BPS] = 1'000'000;
    for (const auto& [what, answer] :
         {std::pair{"support()", object->support(key, disk, [](const auto&) { return 0; })},
          std::pair{"read()", object->limits(key, disk, [](const auto&) { return 0; })},
          std::pair{"apply()", object->apply(key, disk, wanted)},
          std::pair{"clear()", object->clear(key, disk, PENSTOCK_LIMIT_ALL)}})
        verdict.expect(answer.code == PENSTOCK_E_GONE || answer.code == PENSTOCK_E_NOT_PRESENT,
                       fmt::format("{} of an instance that is not there gives {}, not GONE", what, answer.text()));
}

constexpr std::array cases{
    Case{"limits", "support", "limits", "what the limiter can do is stated field by field", support},
    Case{"limits", "read", "limits", "what is in force is one record", read},
    Case{"limits", "gone", "gone", "limits of what has ended are GONE", gone}};

} // namespace

std::span<const Case> limit_cases() { return cases; }

} // namespace penstock::check
