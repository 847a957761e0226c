// SPDX-License-Identifier: Apache-2.0
// The C++ layer: what a class throws is caught within the plugin, and operations it does not have are not offered.
#include <penstock/plugin.hpp>

#include <stdexcept>

namespace sdk = penstock::sdk;

struct Modern {
    static constexpr sdk::Info info{.id = PLUGIN_ID,
                                    .name = "Modern",
                                    .vendor = "Penstock",
                                    .version = "1.0",
                                    .kind = "test",
                                    .thread_model = PENSTOCK_THREADS_PARALLEL};

    explicit Modern(sdk::Host h) : host{h} {}

    sdk::Status probe(const sdk::Call&, sdk::Sink<penstock_probe>) { throw std::runtime_error{"no probe today"}; }
    sdk::Status enumerate_instances(const sdk::Call&, sdk::Sink<penstock_instance> sink) {
        penstock_instance record{};
        record.key = {sdk::str("test"), sdk::str("id-1"), sdk::str("1-1")};
        record.name = sdk::str("one");
        sink(record);
        return {};
    }
    sdk::Status enumerate_disks(const sdk::Call& call, const sdk::Key&, sdk::Sink<penstock_disk>) {
        if (call.remaining().count() == 0) return {PENSTOCK_E_TIMEOUT, "no time was left"};
        return sdk::Status{PENSTOCK_E_BUSY, "another client is connected", 16}.retry_after(
            std::chrono::milliseconds{500});
    }
    sdk::Status enumerate_actors(const sdk::Call&, const sdk::Key&, sdk::Sink<penstock_actor>) { return {}; }

    sdk::Host host;
};

PENSTOCK_PLUGIN(Modern)
