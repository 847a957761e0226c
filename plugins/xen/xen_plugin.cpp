// SPDX-License-Identifier: Apache-2.0
#include "xen_plugin.hpp"

#include "device_model.hpp"
#include "disk_record.hpp"
#include "probe.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <string>

namespace penstock::xen {

using namespace sdk;

namespace {

// As libxenstore finds it, with the same overrides.
std::string socket_path(std::string_view run_root) {
    if (const char* path = ::secure_getenv("XENSTORED_PATH")) return path;
    if (const char* directory = ::secure_getenv("XENSTORED_RUNDIR")) return std::string{directory} + "/socket";
    return std::string{run_root} + "/xenstored/socket";
}

bool emit_actor(const Sink<penstock_actor>& sink, std::uint32_t role, const ProcessStat& process,
                std::uint32_t exclusive, const std::vector<const Vbd*>& disks) {
    std::vector<penstock_str> targets;
    targets.reserve(disks.size());
    for (const auto* disk : disks) targets.push_back(str(disk->target));
    penstock_actor record{};
    record.role = role;
    record.pid = record.tid = process.pid;
    record.start_time = process.start;
    record.exclusive = exclusive;
    record.movable = PENSTOCK_ANSWER_YES;
    record.disk_count = static_cast<std::uint32_t>(targets.size());
    record.disk_stride = sizeof(penstock_str);
    record.disks = targets.data();
    record.name = str(process.comm);
    return sink(record);
}

} // namespace

XenPlugin::XenPlugin(sdk::Host host)
    : proc_{open_directory(AT_FDCWD, std::string{host.proc_root()}.c_str())},
      sys_{open_directory(AT_FDCWD, std::string{host.sys_root()}.c_str())}, store_{socket_path(host.run_root())} {}

void XenPlugin::start_round(const Call& call) {
    if (round_.host && round_.generation == call.generation()) return;
    round_ = {};
    round_.generation = call.generation();
    store_.disconnect(); // xenstored may have been started anew
}

Status XenPlugin::read_host_once(const Call& call) {
    start_round(call);
    if (round_.host) return {};
    xen::Host host;
    if (auto status = read_host(store_, call, host); !status.ok()) return status;
    round_.host = std::move(host);
    return {};
}

Status XenPlugin::find(const Call& call, const Key& key, const Domain*& domain, const DomainDisks*& disks) {
    if (key.kind != info.kind) return {PENSTOCK_E_MALFORMED, "not a key of this plugin: " + std::string{key.kind}};
    if (auto status = read_host_once(call); !status.ok()) return status;
    const auto& domains = round_.host->domains;
    const auto found = std::find_if(domains.begin(), domains.end(), [&](const Domain& d) { return d.id == key.id; });
    if (found == domains.end() || found->incarnation() != key.incarnation)
        return {PENSTOCK_E_GONE, "domain " + std::string{key.id} + " has ended or was restarted"};
    domain = &*found;
    auto at = round_.disks.find(domain->domid);
    if (at == round_.disks.end()) {
        DomainDisks read;
        if (auto status = read_disks(store_, call, *domain, round_.host->backends, read); !status.ok()) return status;
        at = round_.disks.emplace(domain->domid, std::move(read)).first;
    }
    disks = &at->second;
    return {};
}

const std::vector<BlkbackThread>& XenPlugin::threads() {
    if (!round_.threads) round_.threads = find_blkback_threads(proc_.get());
    return *round_.threads;
}

std::string XenPlugin::name_of_backend(std::uint32_t domid) const {
    const auto& domains = round_.host->domains;
    const auto found = std::find_if(domains.begin(), domains.end(), [&](const Domain& d) { return d.domid == domid; });
    return (found == domains.end() ? "" : "'" + found->name + "', ") + "domain " + std::to_string(domid);
}

Status XenPlugin::probe(const Call& call, Sink<penstock_probe> sink) {
    for (const auto& line : probe_host(proc_.get(), sys_.get(), store_, call)) {
        penstock_probe record{};
        record.status = line.status;
        record.component = str(line.component);
        record.version = str(line.version);
        record.detail = str(line.detail);
        if (!sink(record)) break;
    }
    return {};
}

Status XenPlugin::enumerate_instances(const Call& call, Sink<penstock_instance> sink) {
    if (auto status = read_host_once(call); !status.ok()) {
        // A host without Xen has no domains, and nothing is wrong with it.
        const bool absent = status.code() == PENSTOCK_E_NOT_PRESENT && status.sys_errno() == ENOENT;
        return absent ? Status{} : std::move(status);
    }
    for (const auto& domain : round_.host->domains) {
        const auto incarnation = domain.incarnation();
        penstock_instance record{};
        record.state = PENSTOCK_STATE_RUNNING; // xenstore does not say that one is paused
        record.key = {str(info.kind), str(domain.id), str(incarnation)};
        record.name = str(domain.name);
        record.manager = str(round_.host->manager);
        record.note = str(domain.note);
        if (!sink(record)) return {};
    }
    if (!round_.host->complete) return {PENSTOCK_E_PARTIAL, "this host has more domains than are listed"};
    return {};
}

Status XenPlugin::enumerate_disks(const Call& call, const Key& key, Sink<penstock_disk> sink) {
    const Domain* domain = nullptr;
    const DomainDisks* found = nullptr;
    if (auto status = find(call, key, domain, found); !status.ok()) return status;
    DiskFacts facts{.proc = proc_.get()};
    const auto model = found->device_model ? find_device_model(proc_.get(), *found->device_model, domain->domid)
                                           : std::optional<ProcessStat>{};
    if (model) facts.device_model = model->pid;
    std::vector<const Vbd*> threaded;
    for (const auto& thread : threads()) {
        const auto served = served_by(thread, domain->domid, found->disks);
        threaded.insert(threaded.end(), served.begin(), served.end());
    }
    for (const auto& vbd : found->disks) {
        facts.has_thread = std::find(threaded.begin(), threaded.end(), &vbd) != threaded.end();
        facts.tapdisk = 0;
        if (vbd.by_tapdisk() && vbd.process) {
            if (const auto tapdisk = find_tapdisk(proc_.get(), *vbd.process)) facts.tapdisk = tapdisk->pid;
        }
        if (vbd.backend != 0) facts.backend = name_of_backend(vbd.backend);
        if (!emit(describe(vbd, facts), sink)) return {};
    }
    if (!found->complete) return {PENSTOCK_E_PARTIAL, "domain " + domain->id + " has more disks than are listed"};
    return {};
}

Status XenPlugin::enumerate_actors(const Call& call, const Key& key, Sink<penstock_actor> sink) {
    const Domain* domain = nullptr;
    const DomainDisks* found = nullptr;
    if (auto status = find(call, key, domain, found); !status.ok()) return status;
    for (const auto& thread : threads()) {
        const auto served = served_by(thread, domain->domid, found->disks);
        if (served.empty()) continue;
        if (!emit_actor(sink, PENSTOCK_ROLE_BLKBACK, thread.process, PENSTOCK_ANSWER_YES, served)) return {};
    }
    std::map<int, std::vector<const Vbd*>> tapdisks; // one may serve several disks
    std::vector<const Vbd*> qdisks;
    for (const auto& vbd : found->disks) {
        if (vbd.by_tapdisk() && vbd.process) tapdisks[*vbd.process].push_back(&vbd);
        if (vbd.by_qemu()) qdisks.push_back(&vbd);
    }
    for (const auto& [pid, served] : tapdisks) {
        const auto process = find_tapdisk(proc_.get(), pid);
        // Nothing says whether a tapdisk has disks of other domains as well.
        if (process && !emit_actor(sink, PENSTOCK_ROLE_TAPDISK, *process, PENSTOCK_ANSWER_UNKNOWN, served)) return {};
    }
    // A paravirtual domain's QEMU has nothing to do with what blkback serves. An HVM's serves all of its disks until
    // the guest's own drivers take over, and again at each reboot.
    if (!found->device_model || (found->paravirtual && qdisks.empty())) return {};
    const auto model = find_device_model(proc_.get(), *found->device_model, domain->domid);
    if (!model) return {};
    emit_actor(sink, PENSTOCK_ROLE_EMULATOR, *model, PENSTOCK_ANSWER_YES,
               found->paravirtual ? qdisks : std::vector<const Vbd*>{});
    return {};
}

} // namespace penstock::xen
