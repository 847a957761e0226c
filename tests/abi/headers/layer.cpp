// SPDX-License-Identifier: Apache-2.0
#include <penstock/plugin.hpp>

namespace sdk = penstock::sdk;

// Has every operation, so that every template of the layer is compiled.
struct Whole {
    static constexpr sdk::Info info{
        .id = "org.penstock.test.whole", .name = "Whole", .vendor = "Penstock", .version = "1.0", .kind = "test"};
    explicit Whole(sdk::Host) {}
    sdk::Status probe(const sdk::Call&, sdk::Sink<penstock_probe>) { return {}; }
    sdk::Status enumerate_instances(const sdk::Call&, sdk::Sink<penstock_instance>) { return {}; }
    sdk::Status enumerate_disks(const sdk::Call&, const sdk::Key&, sdk::Sink<penstock_disk>) { return {}; }
    sdk::Status enumerate_actors(const sdk::Call&, const sdk::Key&, sdk::Sink<penstock_actor>) { return {}; }
    sdk::Status native_support(const sdk::Call&, const sdk::Key&, std::string_view, sdk::Sink<penstock_limit_support>) {
        return {};
    }
    sdk::Status native_read(const sdk::Call&, const sdk::Key&, std::string_view, sdk::Sink<penstock_limits>) {
        return {};
    }
    sdk::Status native_apply(const sdk::Call&, const sdk::Key&, std::string_view, const penstock_limits&,
                             sdk::Sink<penstock_limits>) {
        return {};
    }
    sdk::Status native_clear(const sdk::Call&, const sdk::Key&, std::string_view, uint64_t,
                             sdk::Sink<penstock_limits>) {
        return {};
    }
};

PENSTOCK_PLUGIN(Whole)
