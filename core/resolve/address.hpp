// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "model/instance.hpp"

#include <span>
#include <string>
#include <string_view>

namespace penstock {

// What a person typed: INSTANCE[:DISK], where INSTANCE is a name or a uuid, with KIND/ before it where names collide.
// Names are their owners' and may hold '/' and ':' themselves, so an address has a meaning only against the instances
// that exist.
struct AddressMatch {
    const Instance* instance = nullptr;
    std::string disk; // empty: none was named
};

// NOT_FOUND with a suggestion, or CONFLICT that lists the addresses which are clear.
Result<AddressMatch> match_address(std::string_view address, std::span<const Instance> instances);

// The instances' part of what `address` can mean: which kinds of plugin must be asked. Empty: any.
std::string kind_of_address(std::string_view address, std::span<const std::string> kinds);

// "kvm/db1" or "kvm/db1:vda", for people.
std::string address_of(const Instance& instance, std::string_view disk = {});

} // namespace penstock
