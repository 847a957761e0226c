// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A QEMU process may have been taken over by its guest: nothing in an answer has to have the type that it should have.
namespace penstock::kvm {

// Deep enough for the nested backing chains of query-block, small enough for our stack.
inline boost::json::parse_options json_options() {
    boost::json::parse_options options;
    options.max_depth = 512;
    options.allow_invalid_utf8 = true;
    return options;
}

inline std::optional<boost::json::value> parse_json(std::string_view text) {
    boost::json::error_code error;
    auto value = boost::json::parse({text.data(), text.size()}, error, {}, json_options());
    if (error) return std::nullopt;
    return value;
}

inline const boost::json::value* member(const boost::json::value& value, std::string_view key) {
    const auto* object = value.if_object();
    return object == nullptr ? nullptr : object->if_contains({key.data(), key.size()});
}

inline std::string_view text_of(const boost::json::value& value, std::string_view key) {
    const auto* found = member(value, key);
    const auto* text = found == nullptr ? nullptr : found->if_string();
    return text == nullptr ? std::string_view{} : std::string_view{text->data(), text->size()};
}

inline bool flag_of(const boost::json::value& value, std::string_view key) {
    const auto* found = member(value, key);
    return found != nullptr && found->is_bool() && found->get_bool();
}

inline std::uint64_t number_of(const boost::json::value& value, std::string_view key) {
    const auto* found = member(value, key);
    if (found == nullptr) return 0;
    if (found->is_uint64()) return found->get_uint64();
    return found->is_int64() && found->get_int64() > 0 ? static_cast<std::uint64_t>(found->get_int64()) : 0;
}

inline const boost::json::array& array_of(const boost::json::value& value) {
    static const boost::json::array empty;
    const auto* array = value.if_array();
    return array == nullptr ? empty : *array;
}

} // namespace penstock::kvm
