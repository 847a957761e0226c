// SPDX-License-Identifier: Apache-2.0
#include "params.hpp"

namespace penstock::xen {

Params parse_params(std::string_view params) {
    Params out;
    // Each word before a ':' says how to read what follows; the path may hold ':' itself.
    while (!params.starts_with('/')) {
        const auto colon = params.find(':');
        if (colon == std::string_view::npos || colon > 32) break;
        const auto word = params.substr(0, colon);
        if (word == "nbd" || word == "rbd" || word == "iscsi" || word == "http" || word == "https") break;
        // xl's word for raw files read with asynchronous I/O, and its way to call block devices.
        out.format = word == "aio" || word == "host_device" || word == "phy" ? "raw" : word;
        params.remove_prefix(colon + 1);
    }
    (params.starts_with('/') ? out.path : out.uri) = params;
    return out;
}

} // namespace penstock::xen
