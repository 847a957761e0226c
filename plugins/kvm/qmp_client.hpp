// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "deadline.hpp"
#include "json.hpp"
#include "qmp_reader.hpp"

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>

#include <string>

namespace penstock::kvm {

// A conversation with one QEMU. After an error it is over.
class QmpClient {
public:
    // `where` names the peer in messages: the path of its socket.
    QmpClient(sdk::Fd socket, std::string where) : socket_{std::move(socket)}, where_{std::move(where)} {}

    // Waits for the greeting, for `patience` at most, and enters command mode. BUSY: another client holds the socket.
    sdk::Status greet(const Deadline& deadline, std::chrono::milliseconds patience);

    // `result` is what stands under "return". QEMU's refusal is CONFLICT, with its own words.
    sdk::Status execute(std::string_view command, boost::json::object arguments, const Deadline& deadline,
                        boost::json::value& result);

private:
    sdk::Status send(std::string_view text, const Deadline& deadline);
    sdk::Status next(const Deadline& deadline, boost::json::value& message);
    sdk::Status failed(std::int32_t code, const std::string& what, int error = 0) const;

    sdk::Fd socket_;
    std::string where_;
    QmpReader reader_;
    unsigned last_id_ = 0;
};

} // namespace penstock::kvm
