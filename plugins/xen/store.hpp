// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store_message.hpp"

#include <penstock/file.hpp>
#include <penstock/plugin.hpp>

#include <optional>
#include <string>
#include <vector>

namespace penstock::xen {

// A connection to xenstored, which is made at the first question. It asks many questions before it waits for the first
// answer, and waits no longer than the call may take; libxenstore can do neither.
class Store {
public:
    explicit Store(std::string socket) : socket_{std::move(socket)} {}

    const std::string& socket() const noexcept { return socket_; }

    // The value of each node, in the order of `paths`; nothing where there is no such node.
    sdk::Status read(const std::vector<std::string>& paths, const sdk::Call& call,
                     std::vector<std::optional<std::string>>& values);
    // The names of each node's children; nothing where there is no such node.
    sdk::Status list(const std::vector<std::string>& paths, const sdk::Call& call,
                     std::vector<std::optional<std::vector<std::string>>>& children);
    // The next question is asked over a new connection.
    void disconnect() { connection_ = {}; }

private:
    sdk::Status connect();
    sdk::Status ask(MessageType type, const std::vector<std::string>& arguments, const sdk::Call& call,
                    std::vector<Message>& answers);
    sdk::Status exchange(const std::string& questions, MessageType type, std::size_t count, const sdk::Call& call,
                         std::vector<Message>& answers);
    sdk::Status wait(short events, const sdk::Call& call) const;
    // A listing that does not fit into one message.
    sdk::Status list_long(const std::string& path, const sdk::Call& call, std::vector<std::string>& names);

    std::string socket_;
    sdk::Fd connection_;
};

} // namespace penstock::xen
