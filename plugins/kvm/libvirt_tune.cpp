// SPDX-License-Identifier: Apache-2.0
#include "libvirt_tune.hpp"

#include "libvirt_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace penstock::kvm {

namespace {

struct Names {
    const char *rate, *burst, *seconds;
};
constexpr Names names[PENSTOCK_RATE_COUNT] = {
    {VIR_DOMAIN_BLOCK_IOTUNE_READ_BYTES_SEC, VIR_DOMAIN_BLOCK_IOTUNE_READ_BYTES_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_READ_BYTES_SEC_MAX_LENGTH},
    {VIR_DOMAIN_BLOCK_IOTUNE_WRITE_BYTES_SEC, VIR_DOMAIN_BLOCK_IOTUNE_WRITE_BYTES_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_WRITE_BYTES_SEC_MAX_LENGTH},
    {VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_BYTES_SEC, VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_BYTES_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_BYTES_SEC_MAX_LENGTH},
    {VIR_DOMAIN_BLOCK_IOTUNE_READ_IOPS_SEC, VIR_DOMAIN_BLOCK_IOTUNE_READ_IOPS_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_READ_IOPS_SEC_MAX_LENGTH},
    {VIR_DOMAIN_BLOCK_IOTUNE_WRITE_IOPS_SEC, VIR_DOMAIN_BLOCK_IOTUNE_WRITE_IOPS_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_WRITE_IOPS_SEC_MAX_LENGTH},
    {VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_IOPS_SEC, VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_IOPS_SEC_MAX,
     VIR_DOMAIN_BLOCK_IOTUNE_TOTAL_IOPS_SEC_MAX_LENGTH}};

class DomainHandle {
public:
    DomainHandle(const LibvirtLibrary& library, virConnectPtr connection, const std::string& uuid)
        : library_{library}, domain_{library.domain_lookup(connection, uuid.c_str())} {}
    DomainHandle(const DomainHandle&) = delete;
    DomainHandle& operator=(const DomainHandle&) = delete;
    ~DomainHandle() {
        if (domain_ != nullptr) library_.domain_free(domain_);
    }
    virDomainPtr get() const { return domain_; }

private:
    const LibvirtLibrary& library_;
    virDomainPtr domain_;
};

// Parameters as libvirt returns them; strings among them are ours to free.
struct Parameters {
    std::vector<virTypedParameter> items;

    Parameters() = default;
    Parameters(const Parameters&) = delete;
    Parameters& operator=(const Parameters&) = delete;
    ~Parameters() {
        for (auto& item : items) {
            if (item.type == VIR_TYPED_PARAM_STRING) std::free(item.value.s);
        }
    }

    const virTypedParameter* find(const char* name, int type) const {
        const auto found = std::find_if(items.begin(), items.end(), [&](const virTypedParameter& item) {
            return item.type == type && std::strncmp(item.field, name, sizeof item.field) == 0;
        });
        return found == items.end() ? nullptr : &*found;
    }
    std::uint64_t value(const char* name) const {
        const auto* item = find(name, VIR_TYPED_PARAM_ULLONG);
        return item == nullptr ? 0 : item->value.ul;
    }
};

sdk::Status get(const LibvirtLibrary& library, virDomainPtr domain, const TunedDisk& disk, Throttle& out) {
    const auto doing = "reading the limits of " + disk.target + " from libvirt";
    int count = 0;
    if (library.get_tune(domain, disk.target.c_str(), nullptr, &count, VIR_DOMAIN_AFFECT_LIVE) != 0)
        return libvirt_error(library, doing);
    Parameters parameters;
    parameters.items.resize(static_cast<std::size_t>(std::clamp(count, 0, 256)));
    count = static_cast<int>(parameters.items.size());
    if (library.get_tune(domain, disk.target.c_str(), parameters.items.data(), &count, VIR_DOMAIN_AFFECT_LIVE) != 0)
        return libvirt_error(library, doing);
    out = {};
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        out.rate[r] = parameters.value(names[r].rate);
        out.burst[r] = parameters.value(names[r].burst);
        out.seconds[r] = out.burst[r] == 0 ? 0 : std::max<std::uint64_t>(parameters.value(names[r].seconds), 1);
    }
    out.io_size = parameters.value(VIR_DOMAIN_BLOCK_IOTUNE_SIZE_IOPS_SEC);
    const auto* group = parameters.find(VIR_DOMAIN_BLOCK_IOTUNE_GROUP_NAME, VIR_TYPED_PARAM_STRING);
    const std::string name = group == nullptr || group->value.s == nullptr ? "" : group->value.s;
    // libvirt keeps the name of a group that a disk without limits was in; QEMU does not have it there.
    if (!out.empty() && name != disk.alias && name != "drive-" + disk.alias) out.group = name;
    return {};
}

sdk::Status set(const LibvirtLibrary& library, virDomainPtr domain, const TunedDisk& disk, const Throttle& wanted) {
    std::vector<virTypedParameter> items;
    const auto add = [&](const char* name, std::uint64_t value) {
        virTypedParameter item{};
        std::strncpy(item.field, name, sizeof item.field - 1);
        item.type = VIR_TYPED_PARAM_ULLONG;
        item.value.ul = value;
        items.push_back(item);
    };
    for (std::size_t r = 0; r < PENSTOCK_RATE_COUNT; ++r) {
        add(names[r].rate, wanted.rate[r]);
        add(names[r].burst, wanted.burst[r]);
        // Also where it is 0: libvirt keeps the old length otherwise, and QEMU refuses a length without a burst.
        add(names[r].seconds, wanted.burst[r] == 0 ? 0 : std::max<std::uint64_t>(wanted.seconds[r], 1));
    }
    add(VIR_DOMAIN_BLOCK_IOTUNE_SIZE_IOPS_SEC, wanted.io_size);
    auto group = wanted.group.empty() ? disk.alias : wanted.group;
    if (!wanted.empty()) {
        virTypedParameter item{};
        std::strncpy(item.field, VIR_DOMAIN_BLOCK_IOTUNE_GROUP_NAME, sizeof item.field - 1);
        item.type = VIR_TYPED_PARAM_STRING;
        item.value.s = group.data();
        items.push_back(item);
    }
    if (library.set_tune(domain, disk.target.c_str(), items.data(), static_cast<int>(items.size()),
                         VIR_DOMAIN_AFFECT_LIVE) != 0)
        return libvirt_error(library, "setting the limits of " + disk.target + " through libvirt");
    return {};
}

} // namespace

sdk::Status tune_domain(const LibvirtLibrary& library, virConnectPtr connection, const TunedDisk& disk,
                        const Change& change, Throttle& now) {
    const DomainHandle domain{library, connection, disk.uuid};
    if (domain.get() == nullptr) return libvirt_error(library, "looking for domain " + disk.uuid);
    if (auto status = get(library, domain.get(), disk, now); !status.ok() || !change) return status;
    auto next = now;
    if (auto status = change(next); !status.ok()) return status;
    if (next == now) return {};
    if (auto status = set(library, domain.get(), disk, next); !status.ok()) return status;
    return get(library, domain.get(), disk, now);
}

sdk::Status domain_xml(const LibvirtLibrary& library, virConnectPtr connection, const std::string& uuid,
                       std::string& xml) {
    const DomainHandle domain{library, connection, uuid};
    if (domain.get() == nullptr) return libvirt_error(library, "looking for domain " + uuid);
    const std::unique_ptr<char, decltype(&std::free)> text{library.domain_xml(domain.get(), 0), &std::free};
    if (!text) return libvirt_error(library, "reading the definition of domain " + uuid);
    xml = text.get();
    return {};
}

} // namespace penstock::kvm
