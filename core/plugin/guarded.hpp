// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <penstock/plugin.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>

namespace penstock {

// Calls into a plugin. The contract says that nothing is thrown across it; a plugin that throws nevertheless gets
// PENSTOCK_E_INTERNAL, and the host lives on where its frames could be unwound.
template <class Call>
std::int32_t guarded(penstock_error& error, Call call) noexcept {
    const auto thrown = [&error](std::string_view what) {
        constexpr std::string_view prefix = "the plugin let an exception out: ";
        const auto n = std::min(what.size(), sizeof error.message - prefix.size() - 1);
        std::memcpy(error.message, prefix.data(), prefix.size());
        std::memcpy(error.message + prefix.size(), what.data(), n);
        error.message[prefix.size() + n] = '\0';
        error.sys_errno = 0;
        error.retry_after_ms = 0;
        return PENSTOCK_E_INTERNAL;
    };
    try {
        return call();
    } catch (const std::exception& e) {
        return thrown(e.what());
    } catch (...) {
        return thrown("not a std::exception");
    }
}

} // namespace penstock
