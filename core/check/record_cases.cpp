// SPDX-License-Identifier: Apache-2.0
// What the plugin reports of this host, held against the contract and, where the kernel knows better, against the
// kernel.
#include "base/text.hpp"
#include "check/scratch.hpp"
#include "check/subject.hpp"
#include "plugin/contract_size.hpp"

#include <penstock/process.hpp>

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace penstock::check {
namespace {

bool fine(const Answer& answer) {
    return answer.code == 0 || answer.code == PENSTOCK_E_GONE || answer.code == PENSTOCK_E_NOT_PRESENT ||
           answer.code == PENSTOCK_E_PARTIAL || answer.code == PENSTOCK_E_DENIED;
}

bool sized(std::uint32_t size, std::size_t least) { return size >= least && size <= PENSTOCK_STRUCT_MAX; }

std::string named(const OwnedKey& key) { return printable(key.kind + "/" + key.id); }

void believe(const std::string& name, penstock_str text, Verdict& verdict) {
    verdict.expect(believable(text),
                   fmt::format("{}: a string claims {} bytes{}", name, text.n, text.p == nullptr ? " at NULL" : ""));
}

void probe(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    int lines = 0;
    const auto answer = object->probe([&](const penstock_probe& line) {
        ++lines;
        verdict.expect(sized(line.struct_size, size_1_0<penstock_probe>),
                       fmt::format("struct_size of a line is {}", line.struct_size));
        verdict.expect(line.status >= PENSTOCK_PROBE_PRESENT && line.status <= PENSTOCK_PROBE_BROKEN,
                       fmt::format("status of a line is {}", line.status));
        verdict.expect(line.component.n != 0, "a line names no component");
        verdict.expect(line.status != PENSTOCK_PROBE_BROKEN || line.detail.n != 0,
                       "a component is broken, and the line does not say why");
        return 0;
    });
    verdict.expect(fine(answer), "probe() gives " + answer.text());
    verdict.expect(lines > 0, "probe() reports nothing at all");
}

void instances(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    std::set<std::string> kinds, ids;
    const auto* descriptor = subject.descriptor(verdict);
    for (std::uint32_t i = 0; i < descriptor->kind_count; ++i) kinds.emplace(view(descriptor->kinds[i]));
    const auto answer = object->instances([&](const penstock_instance& record) {
        const auto name = printable(view(record.key.id));
        verdict.expect(sized(record.struct_size, size_1_0<penstock_instance>),
                       fmt::format("{}: struct_size is {}", name, record.struct_size));
        for (const auto& text : {record.key.kind, record.key.id, record.key.incarnation, record.name,
                                 record.cgroup_hint, record.manager, record.note})
            believe(name, text, verdict);
        verdict.expect(kinds.contains(std::string{view(record.key.kind)}),
                       name + ": its kind '" + printable(view(record.key.kind)) + "' is not one of the descriptor's");
        verdict.expect(record.key.id.n != 0, "an instance has no id");
        verdict.expect(record.key.incarnation.n != 0, name + ": it has no incarnation");
        verdict.expect(ids.emplace(view(record.key.id)).second, name + ": the id is reported twice");
        verdict.expect(record.state <= PENSTOCK_STATE_STOPPED, fmt::format("{}: state is {}", name, record.state));
        verdict.expect(record.main_pid >= 0 && record.root_pid >= 0, name + ": a pid is negative");
        return 0;
    });
    verdict.expect(fine(answer), "enumerate_instances() gives " + answer.text());
}

void check_disk(const std::string& instance, const penstock_disk& disk, std::set<std::string>& targets,
                Verdict& verdict) {
    const auto name = instance + ":" + printable(view(disk.target));
    verdict.expect(sized(disk.struct_size, size_1_0<penstock_disk>),
                   fmt::format("{}: struct_size is {}", name, disk.struct_size));
    for (const auto& text : {disk.target, disk.native_id, disk.driver, disk.bus, disk.note})
        believe(name, text, verdict);
    verdict.expect(disk.target.n != 0, instance + ": a disk has no target");
    verdict.expect(targets.emplace(view(disk.target)).second, name + ": the target is reported twice");
    verdict.expect(disk.cache_mode <= PENSTOCK_CACHE_GUEST, fmt::format("{}: cache_mode is {}", name, disk.cache_mode));
    if (disk.layer_count == 0) return;
    if (!verdict.expect(disk.layer_count <= 1024, fmt::format("{}: it claims {} layers", name, disk.layer_count)))
        return;
    if (!verdict.expect(disk.layers != nullptr && disk.layer_stride >= size_1_0<penstock_layer>,
                        fmt::format("{}: layer_stride is {}, and must be {} or more", name, disk.layer_stride,
                                    size_1_0<penstock_layer>)))
        return;
    for (std::uint32_t i = 0; i < disk.layer_count; ++i) {
        const auto& layer = *reinterpret_cast<const penstock_layer*>(reinterpret_cast<const char*>(disk.layers) +
                                                                     std::size_t{i} * disk.layer_stride);
        verdict.expect(sized(layer.struct_size, size_1_0<penstock_layer>),
                       fmt::format("{}: struct_size of layer {} is {}", name, i, layer.struct_size));
        verdict.expect(layer.kind <= PENSTOCK_LAYER_OTHER,
                       fmt::format("{}: kind of layer {} is {}", name, i, layer.kind));
        const auto both = PENSTOCK_LAYER_DIRECT | PENSTOCK_LAYER_BUFFERED;
        verdict.expect((layer.flags & both) != both, fmt::format("{}: layer {} is both direct and buffered", name, i));
        verdict.expect(view(layer.uri).find('@') == std::string_view::npos ||
                           view(layer.uri).find(':') > view(layer.uri).find('@') ||
                           view(layer.uri).substr(0, view(layer.uri).find('@')).find_last_of(':') <=
                               view(layer.uri).find("://"),
                       fmt::format("{}: the uri of layer {} holds a password", name, i));
    }
}

void disks(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    for (const auto& key : object->keys()) {
        std::set<std::string> targets;
        const auto contract = key.contract();
        const auto answer = object->disks(contract, [&](const penstock_disk& disk) {
            check_disk(named(key), disk, targets, verdict);
            return 0;
        });
        verdict.expect(fine(answer), named(key) + ": enumerate_disks() gives " + answer.text());
    }
}

void actors(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    for (const auto& key : object->keys()) {
        const auto contract = key.contract();
        std::set<std::string> targets;
        (void)object->disks(contract, [&](const penstock_disk& disk) {
            targets.emplace(view(disk.target));
            return 0;
        });
        const auto answer = object->actors(contract, [&](const penstock_actor& actor) {
            const auto name = fmt::format("{}: thread {} of process {}", named(key), actor.tid, actor.pid);
            verdict.expect(sized(actor.struct_size, size_1_0<penstock_actor>),
                           fmt::format("{}: struct_size is {}", name, actor.struct_size));
            verdict.expect(actor.pid > 0 && actor.tid > 0, name + ": an id is not positive");
            verdict.expect(actor.exclusive <= PENSTOCK_ANSWER_NO && actor.movable <= PENSTOCK_ANSWER_NO,
                           name + ": exclusive and movable are UNKNOWN, YES or NO");
            const auto path = fmt::format("/proc/{}/task/{}/stat", actor.pid, actor.tid);
            if (const auto stat = sdk::read_process_stat(AT_FDCWD, path.c_str())) // it may have ended meanwhile
                verdict.expect(
                    stat->start == actor.start_time,
                    fmt::format("{}: start_time is {}, and the kernel says {}", name, actor.start_time, stat->start));
            if (actor.disk_count != 0 && actor.disks != nullptr && actor.disk_stride >= sizeof(penstock_str))
                for (std::uint32_t i = 0; i < actor.disk_count; ++i) {
                    const auto target = view(*reinterpret_cast<const penstock_str*>(
                        reinterpret_cast<const char*>(actor.disks) + std::size_t{i} * actor.disk_stride));
                    verdict.expect(targets.contains(std::string{target}),
                                   name + ": it serves a disk that is not reported: " + printable(target));
                }
            return 0;
        });
        verdict.expect(fine(answer), named(key) + ": enumerate_actors() gives " + answer.text());
    }
}

// A sink that returns non-zero ends the operation, and its value is what the operation returns.
void stops(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    constexpr std::int32_t stop = 7;
    const auto check = [&](const char* what, auto call) {
        int records = 0;
        const Answer answer = call([&](const auto&) {
            ++records;
            return stop;
        });
        if (records == 0) return;
        verdict.expect(records == 1,
                       fmt::format("{} went on for {} more records after the sink had said stop", what, records - 1));
        verdict.expect(answer.code == stop,
                       fmt::format("{} gives {} where the sink returned {}", what, answer.code, stop));
    };
    const auto keys = object->keys();
    check("probe()", [&](auto emit) { return object->probe(emit); });
    check("enumerate_instances()", [&](auto emit) { return object->instances(emit); });
    for (const auto& key : keys) {
        const auto contract = key.contract();
        check("enumerate_disks()", [&](auto emit) { return object->disks(contract, emit); });
        check("enumerate_actors()", [&](auto emit) { return object->actors(contract, emit); });
    }
}

// Roots come from the host alone: below empty ones there is nothing.
void roots(Subject& subject, Verdict& verdict) {
    const Scratch empty;
    TestHost host{empty.path(), empty.path(), empty.path()};
    const auto object = subject.object(verdict, host);
    if (!object) return;
    int found = 0;
    const auto answer = object->instances([&](const penstock_instance&) {
        ++found;
        return 0;
    });
    verdict.expect(
        found == 0,
        fmt::format("with empty roots, {} instances are reported: paths must begin with the host's roots", found));
    verdict.expect(answer.code <= 0 && answer.code != PENSTOCK_E_INTERNAL,
                   "with empty roots, enumerate_instances() gives " + answer.text());
}

void gone(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    auto keys = object->keys();
    for (auto& key : keys) key.incarnation = "1-1";
    const auto* descriptor = subject.descriptor(verdict);
    keys.push_back({std::string{view(descriptor->kinds[0])}, "there-is-no-such-instance", "1-1"});
    for (const auto& key : keys) {
        int records = 0;
        const auto contract = key.contract();
        const auto count = [&](const auto&) { return ++records, 0; };
        for (const auto& [what, answer] : {std::pair{"enumerate_disks()", object->disks(contract, count)},
                                           std::pair{"enumerate_actors()", object->actors(contract, count)}})
            verdict.expect(answer.code == PENSTOCK_E_GONE || answer.code == PENSTOCK_E_NOT_PRESENT,
                           fmt::format("{}: {} of an incarnation that is not there gives {}, not GONE", named(key),
                                       what, answer.text()));
        verdict.expect(records == 0, named(key) + ": records were emitted for an incarnation that is not there");
    }
}

void errors(Subject& subject, Verdict& verdict) {
    TestHost host;
    const auto object = subject.object(verdict, host);
    if (!object) return;
    const OwnedKey nobody{std::string{view(subject.descriptor(verdict)->kinds[0])}, "there-is-no-such-instance", "1-1"};
    const auto answer = object->disks(nobody.contract(), [](const auto&) { return 0; });
    if (answer.code >= 0) return;
    const auto length = ::strnlen(answer.error.message, sizeof answer.error.message);
    verdict.expect(answer.error.code == answer.code,
                   fmt::format("a call returns {} and its error says {}", answer.code, answer.error.code));
    verdict.expect(length < sizeof answer.error.message, "the message of an error is not ended by a NUL");
    verdict.expect(length != 0, "an error has no message");
    verdict.expect(printable({answer.error.message, length}) == std::string_view{answer.error.message, length},
                   "the message of an error is no clean UTF-8");
}

constexpr std::array cases{
    Case{"records", "probe", "probe", "probe() says what is here", probe},
    Case{"records", "instances", "instances", "instances are complete, of the plugin's kinds, and unique", instances},
    Case{"records", "disks", "disks", "disks and layers are complete, targets unique", disks},
    Case{"records", "actors", "actors", "actors are what the kernel says they are", actors},
    Case{"records", "stops", "stops", "a sink's stop is obeyed and handed on", stops},
    Case{"records", "roots", "roots", "nothing is read outside of the host's roots", roots},
    Case{"records", "gone", "gone", "what has ended is GONE", gone},
    Case{"records", "errors", "errors", "errors say what is wrong", errors}};

} // namespace

std::span<const Case> record_cases() { return cases; }

} // namespace penstock::check
