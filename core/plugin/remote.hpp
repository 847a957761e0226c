// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "plugin/host_options.hpp"
#include "plugin/host_table.hpp"
#include "plugin/remote_child.hpp"
#include "plugin/tables.hpp"
#include "plugin/wire.hpp"
#include "plugin/wire_records.hpp"

#include <penstock/plugin.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace penstock {

// A plugin in a process of its own, penstock-plugin-host. It looks like one in this process: the tables below are
// called with a RemotePlugin as their object, and what they emit is as little believed as any plugin's records.
//
// A process that crashes, says nonsense or does not answer by its deadline is killed. The next call starts it again:
// after a first failure at once, after a second in a row a second later, and after a third not for ten minutes.
// One call at a time.
class RemotePlugin {
public:
    struct Offer {
        Description description;
        bool native_limit = false;
    };

    RemotePlugin(std::string library, const HostOptions& options, const HostTable& host);
    ~RemotePlugin();
    RemotePlugin(const RemotePlugin&) = delete;
    RemotePlugin& operator=(const RemotePlugin&) = delete;

    // Starts the process and lets it load the library. The error is the library's own where it cannot be used.
    Result<Offer> start();

    static const penstock_core_v1& core_table();
    static const penstock_native_limit_v1& native_table();

    // Takes the payload of one record: what the sink returned, or why the payload is none.
    using Take = std::function<Result<std::int32_t>(std::string_view payload)>;
    // As a function of the contract: 0, the value that the sink returned, or PENSTOCK_E_* with `error`.
    std::int32_t call(const WireRequest& request, const Take& take, penstock_error* error);

private:
    using Clock = std::chrono::steady_clock;
    // Starts the process if it does not run; BUSY while it may not be started again.
    Result<void> ready();
    Result<Offer> spawn();
    // The next frame of a kind that the caller has to deal with; what the plugin logs and asks for is dealt with here.
    Result<Frame> next(Clock::time_point deadline);
    Result<void> answer(const Frame& frame);
    Result<std::int32_t> exchange(const WireRequest& request, const Take& take, penstock_error& error);
    // Ends the process, remembers the failure, and says what is to be known of it.
    Error failed(Error what, std::string_view doing);
    void log_printed();

    std::string library_;
    HostOptions options_;
    const HostTable& host_;
    std::unique_ptr<RemoteChild> child_; // nullptr: not running
    int failures_ = 0;                   // in a row
    Clock::time_point not_before_{};
    std::string last_failure_;
};

} // namespace penstock
