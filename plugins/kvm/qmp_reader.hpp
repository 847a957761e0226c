// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json.hpp"

#include <penstock/plugin.hpp>

#include <deque>
#include <string_view>

namespace penstock::kvm {

inline constexpr std::size_t qmp_message_cap = 8U << 20;

// Cuts a stream of bytes into JSON objects, in whatever pieces it comes; also the indented ones of -qmp-pretty. Each
// byte is looked at once.
class QmpReader {
public:
    QmpReader() { parser_.reset(); }

    // MALFORMED: the stream is not QMP, and nothing further can be read from it.
    sdk::Status feed(std::string_view bytes);

    std::deque<boost::json::value>& messages() { return messages_; }
    bool silent() const { return total_ == 0; }

private:
    boost::json::stream_parser parser_{{}, json_options()};
    std::deque<boost::json::value> messages_;
    std::size_t size_ = 0; // of the message that is being read
    std::size_t total_ = 0;
};

} // namespace penstock::kvm
