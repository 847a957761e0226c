// SPDX-License-Identifier: Apache-2.0
#include "domain.hpp"

#include "vbd.hpp"

#include <penstock/text.hpp>

#include <algorithm>
#include <set>

namespace penstock::xen {

using namespace sdk;

namespace {

// Xen gives domids below 0x7ff0; a host has memory for a few hundred domains.
constexpr std::uint32_t domid_end = 0x7ff0;
constexpr std::size_t domain_cap = 4096;
constexpr std::size_t backend_domain_cap = 64;

std::string path_of(std::uint32_t domid) { return "/local/domain/" + std::to_string(domid); }

// "/vm/UUID": the uuid in lower case; empty: it is none.
std::string uuid_of(const std::optional<std::string>& vm) {
    constexpr std::string_view prefix = "/vm/";
    if (!vm || !vm->starts_with(prefix)) return {};
    auto uuid = vm->substr(prefix.size());
    if (uuid.size() != 36) return {};
    for (std::size_t i = 0; i < uuid.size(); ++i) {
        auto& c = uuid[i];
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (dash ? c != '-' : !digit) return {};
    }
    return uuid;
}

// Seconds with a fraction; anything else says nothing.
std::string start_of(const std::optional<std::string>& text) {
    if (!text || text->size() > 32 || text->find_first_not_of("0123456789.") != std::string::npos) return {};
    return *text;
}

std::vector<std::uint32_t> domids_in(const std::vector<std::string>& names) {
    std::vector<std::uint32_t> domids;
    for (const auto& name : names) {
        const auto domid = number<std::uint32_t>(name);
        if (domid && *domid < domid_end) domids.push_back(*domid);
    }
    std::sort(domids.begin(), domids.end());
    return domids;
}

// Two have the same uuid while one is migrated to its own host, or when a configuration was copied. The older one
// keeps it.
void make_ids_unique(std::vector<Domain>& domains) {
    std::set<std::string> taken;
    for (auto& domain : domains) {
        if (taken.insert(domain.id).second) continue;
        domain.note = "another domain has the same id " + domain.id;
        domain.id += "#" + std::to_string(domain.domid);
    }
}

} // namespace

Status read_host(Store& store, const Call& call, Host& host) {
    std::vector<std::optional<std::vector<std::string>>> listings;
    if (auto status = store.list({"/", "/local/domain"}, call, listings); !status.ok()) return status;
    const auto top = listings[0].value_or(std::vector<std::string>{});
    for (const auto* manager : {"libxl", "xapi"}) {
        if (host.manager.empty() && std::find(top.begin(), top.end(), manager) != top.end()) host.manager = manager;
    }
    auto domids = domids_in(listings[1].value_or(std::vector<std::string>{}));
    host.complete = domids.size() <= domain_cap;
    if (!host.complete) domids.resize(domain_cap);

    std::vector<std::string> names_and_vms, backend_paths;
    for (const auto domid : domids) {
        names_and_vms.push_back(path_of(domid) + "/name");
        names_and_vms.push_back(path_of(domid) + "/vm");
        backend_paths.push_back(path_of(domid) + "/backend");
    }
    std::vector<std::optional<std::string>> values, starts;
    if (auto status = store.read(names_and_vms, call, values); !status.ok()) return status;
    if (auto status = store.list(backend_paths, call, listings); !status.ok()) return status;
    std::vector<std::string> start_paths;
    for (std::size_t i = 0; i < domids.size(); ++i) {
        if (listings[i] && host.backends.size() < backend_domain_cap) {
            BackendDomain backend{domids[i], {}};
            for (const auto kind : disk_kinds) {
                if (std::find(listings[i]->begin(), listings[i]->end(), kind) != listings[i]->end())
                    backend.kinds.emplace_back(kind);
            }
            if (!backend.kinds.empty()) host.backends.push_back(std::move(backend));
        }
        const auto uuid = uuid_of(values[2 * i + 1]);
        const auto name = values[2 * i].value_or("");
        // One that is being made or taken down has neither.
        if (domids[i] == 0 || (uuid.empty() && name.empty())) continue;
        host.domains.push_back({domids[i], uuid.empty() ? "name:" + name : uuid, name.empty() ? uuid : name, {}, {}});
        start_paths.push_back((uuid.empty() ? "/vm" : *values[2 * i + 1]) + "/start_time");
    }
    if (auto status = store.read(start_paths, call, starts); !status.ok()) return status;
    for (std::size_t i = 0; i < starts.size(); ++i) host.domains[i].start = start_of(starts[i]);
    make_ids_unique(host.domains);
    return {};
}

} // namespace penstock::xen
