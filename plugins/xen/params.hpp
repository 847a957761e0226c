// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace penstock::xen {

// What a qdisk's `params` says: "aio:/var/img/web.raw", "qcow2:/var/img/web.qcow2", "vhd:/...", "nbd:host:10809".
struct Params {
    std::string format; // "raw", "qcow2"
    std::string path;   // of a file or block device of dom0
    std::string uri;    // of what is reached over the network
};

Params parse_params(std::string_view params);

} // namespace penstock::xen
