// SPDX-License-Identifier: Apache-2.0
#include "libvirt_error.hpp"

namespace penstock::kvm {

using namespace std::chrono_literals;

sdk::Status libvirt_error(const LibvirtLibrary& library, const std::string& what) {
    const auto* error = library.last_error();
    const std::string text =
        what + ": " + (error == nullptr || error->message == nullptr ? "unknown error" : error->message);
    switch (error == nullptr ? 0 : error->code) {
    case VIR_ERR_NO_DOMAIN:
    case VIR_ERR_OPERATION_INVALID: return {PENSTOCK_E_GONE, text};
    case VIR_ERR_AUTH_FAILED:
    case VIR_ERR_AUTH_CANCELLED:
    case VIR_ERR_ACCESS_DENIED:
    case VIR_ERR_OPERATION_DENIED: return {PENSTOCK_E_DENIED, text + ": run as root"};
    case VIR_ERR_INVALID_ARG:
    case VIR_ERR_CONFIG_UNSUPPORTED: return {PENSTOCK_E_CONFLICT, text};
    case VIR_ERR_OPERATION_UNSUPPORTED:
    case VIR_ERR_NO_SUPPORT: return {PENSTOCK_E_UNSUPPORTED, text};
    case VIR_ERR_OPERATION_TIMEOUT: return sdk::Status{PENSTOCK_E_BUSY, text}.retry_after(1000ms);
    case VIR_ERR_SYSTEM_ERROR:
    case VIR_ERR_RPC:
    case VIR_ERR_NO_CONNECT:
        return sdk::Status{PENSTOCK_E_BUSY, text + ": start libvirtd or virtqemud"}.retry_after(1000ms);
    default: return {PENSTOCK_E_UNSUPPORTED, text};
    }
}

} // namespace penstock::kvm
