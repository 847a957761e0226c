// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/tables.hpp"
#include "plugin/wire.hpp"
#include "plugin/wire_records.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace penstock {

// Serves one plugin over a socket until that closes.
class PluginServer {
public:
    explicit PluginServer(Fd socket) : socket_{std::move(socket)} {}
    ~PluginServer();
    PluginServer(const PluginServer&) = delete;
    PluginServer& operator=(const PluginServer&) = delete;

    // The process's exit status.
    int run();

private:
    Result<Frame> next();
    Result<void> start(const Frame& frame);
    Result<void> load(WireReader& in);
    Result<void> serve(const Frame& frame);
    std::int32_t perform(const WireRequest& request, penstock_error& error);
    template <class Record, class Call>
    std::int32_t emitting(penstock_error& error, Call call);
    void fill_host();
    void log(std::uint32_t level, penstock_str message);
    std::int32_t config(penstock_str key, void* value_ctx, std::int32_t (*value)(void*, penstock_str));

    FrameSocket socket_;
    std::mutex mutex_; // of socket_: a plugin's own threads may log
    std::string library_, proc_root_, sys_root_, run_root_;
    penstock_host host_{};
    PluginTables tables_;
    void* self_ = nullptr;
    std::thread::id serving_ = std::this_thread::get_id();
};

} // namespace penstock
