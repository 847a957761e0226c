// SPDX-License-Identifier: Apache-2.0
#include "image_source.hpp"

#include <algorithm>
#include <iterator>

namespace penstock::kvm {

namespace {

constexpr std::string_view filters[] = {
    "backup-top",        "blkdebug",     "blklogwrites", "blkreplay",   "blkverify",       "commit_top", "compress",
    "copy-before-write", "copy-on-read", "mirror_top",   "preallocate", "snapshot-access", "throttle"};

constexpr std::string_view network[] = {"ftp", "ftps", "gluster", "http",     "https", "iscsi", "iser",
                                        "nbd", "nfs",  "rbd",     "sheepdog", "ssh",   "vxhs"};

constexpr std::string_view other[] = {"io_uring",
                                      "null-aio",
                                      "null-co",
                                      "nvme",
                                      "nvme-io_uring",
                                      "virtio-blk-vfio-pci",
                                      "virtio-blk-vhost-user",
                                      "virtio-blk-vhost-vdpa",
                                      "vvfat"};

template <std::size_t N>
bool among(const std::string_view (&list)[N], std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// "rbd" of rbd:pool/x, "nbd" of nbd+unix://; empty for a path. A colon after a slash belongs to the path.
std::string_view scheme_of(std::string_view name) {
    const auto end = name.find_first_of(":/+");
    if (end == std::string_view::npos || end == 0 || name[end] == '/') return {};
    return name.substr(0, end);
}

std::uint32_t kind_of(std::string_view driver) {
    if (driver == "file") return PENSTOCK_LAYER_FILE;
    if (driver == "host_device" || driver == "host_cdrom") return PENSTOCK_LAYER_BLOCK;
    if (among(network, driver)) return PENSTOCK_LAYER_NETWORK;
    return among(other, driver) ? PENSTOCK_LAYER_OTHER : PENSTOCK_LAYER_UNKNOWN;
}

} // namespace

bool is_filter(std::string_view driver) { return among(filters, driver); }
bool is_protocol(std::string_view driver) { return kind_of(driver) != PENSTOCK_LAYER_UNKNOWN; }

std::string public_uri(std::string_view uri) {
    const auto scheme_end = uri.find("://");
    if (scheme_end == std::string_view::npos) {
        // rbd:pool/image:id=admin:key=SECRET; nbd:host:10809:exportname=x has no secrets.
        if (uri.starts_with("rbd:")) return std::string{uri.substr(0, uri.find(':', 4))};
        return std::string{uri.substr(0, uri.find('?'))};
    }
    const auto begin = scheme_end + 3;
    const auto end = std::min(uri.find_first_of("/?#", begin), uri.size());
    auto authority = uri.substr(begin, end - begin);
    // A password may hold '@' itself: what stands behind the last one is the host.
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
    auto rest = uri.substr(end);
    const auto query = std::min(rest.find_first_of("?#"), rest.size());
    std::string socket;
    if (rest.substr(query).starts_with("?socket=")) {
        const auto value = rest.substr(query);
        socket = value.substr(0, value.find('&'));
    }
    return std::string{uri.substr(0, begin)} + std::string{authority} + std::string{rest.substr(0, query)} + socket;
}

void set_source(sdk::OwnedLayer& layer, std::string_view driver, std::string_view filename) {
    if (filename.starts_with("json:")) {
        const auto options = Options::parse(filename.substr(5));
        // The outermost node may be the format or a filter; what it lies on is below "file".
        std::string prefix;
        for (int depth = 0; depth < 8 && !is_protocol(options.get(prefix + "driver")); ++depth) prefix += "file.";
        return set_source(layer, options, prefix);
    }
    const auto scheme = scheme_of(filename);
    if (driver.empty()) driver = among(network, scheme) ? scheme : "";
    layer.kind = driver.empty() ? std::uint32_t{PENSTOCK_LAYER_FILE} : kind_of(driver);
    if (layer.kind == PENSTOCK_LAYER_NETWORK || layer.kind == PENSTOCK_LAYER_OTHER) {
        layer.uri = public_uri(filename);
        return;
    }
    if (filename.starts_with("file:")) filename.remove_prefix(5);
    layer.path = filename;
}

void set_source(sdk::OwnedLayer& layer, const Options& options, const std::string& prefix) {
    const auto get = [&](std::initializer_list<std::string_view> keys) {
        for (const auto key : keys) {
            if (const auto value = options.get(prefix + std::string{key}); !value.empty()) return std::string{value};
        }
        return std::string{};
    };
    const auto driver = get({"driver"});
    const auto filename = get({"filename"});
    if (driver.empty() || kind_of(driver) == PENSTOCK_LAYER_FILE || kind_of(driver) == PENSTOCK_LAYER_BLOCK) {
        return set_source(layer, driver, filename.starts_with("json:") ? std::string{} : filename);
    }
    layer.kind = kind_of(driver);
    if (driver == "nvme") {
        layer.uri = "nvme://" + get({"device"}) + "/" + get({"namespace"});
        return;
    }
    if (const auto uri = get({"filename", "url", "uri"}); !uri.empty()) {
        layer.uri = public_uri(uri);
        return;
    }
    auto host = get({"server.host", "server.0.host", "host", "portal"});
    if (const auto port = get({"server.port", "server.0.port", "port"}); !port.empty()) host += ":" + port;
    auto name = get({"export", "image", "target", "volume", "path"});
    if (const auto pool = get({"pool"}); !pool.empty()) name = pool + "/" + name;
    if (const auto lun = get({"lun"}); !lun.empty()) name += "/" + lun;
    layer.uri = driver + "://" + host + (name.starts_with('/') ? "" : "/") + name;
    if (const auto socket = get({"server.path", "path"}); host.empty() && driver == "nbd")
        layer.uri = "nbd+unix:///" + name + "?socket=" + socket;
}

void set_direct(sdk::OwnedLayer& layer, bool direct) {
    layer.flags &= ~(PENSTOCK_LAYER_DIRECT | PENSTOCK_LAYER_BUFFERED);
    // The page cache of this host is only met by files and block devices.
    if (layer.kind == PENSTOCK_LAYER_FILE || layer.kind == PENSTOCK_LAYER_BLOCK || layer.kind == PENSTOCK_LAYER_UNKNOWN)
        layer.flags |= direct ? PENSTOCK_LAYER_DIRECT : PENSTOCK_LAYER_BUFFERED;
}

} // namespace penstock::kvm
