// SPDX-License-Identifier: Apache-2.0
#include "qmp_reader.hpp"

namespace penstock::kvm {

sdk::Status QmpReader::feed(std::string_view bytes) {
    total_ += bytes.size();
    while (!bytes.empty()) {
        boost::json::error_code error;
        const auto used = parser_.write_some(bytes.data(), bytes.size(), error);
        if (error) return {PENSTOCK_E_MALFORMED, "it sent what is not JSON (" + error.message() + ")"};
        bytes.remove_prefix(used);
        size_ += used;
        if (size_ > qmp_message_cap) return {PENSTOCK_E_MALFORMED, "it sent a message of more than 8 MiB"};
        if (!parser_.done()) continue;
        messages_.push_back(parser_.release());
        parser_.reset();
        size_ = 0;
        if (!messages_.back().is_object()) return {PENSTOCK_E_MALFORMED, "it sent JSON that is not an object"};
    }
    return {};
}

} // namespace penstock::kvm
