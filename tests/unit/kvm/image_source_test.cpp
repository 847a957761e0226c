// SPDX-License-Identifier: Apache-2.0
#include "image_source.hpp"

#include "catch.hpp"

#include <penstock/disk_record.hpp>

using namespace penstock::kvm;
namespace sdk = penstock::sdk;

TEST_CASE("a shown URI holds no credentials") {
    const auto [uri, shown] =
        GENERATE(table<const char*, const char*>({{"https://user:pw@host/x.iso", "https://host/x.iso"},
                                                  {"https://user:p@w@host/x?token=secret", "https://host/x"},
                                                  {"ssh://root@host:22/x", "ssh://host:22/x"},
                                                  {"iscsi://u%p@10.0.0.1/iqn.2001/0", "iscsi://10.0.0.1/iqn.2001/0"},
                                                  {"rbd:pool/image:id=admin:key=SECRET:mon_host=a", "rbd:pool/image"},
                                                  {"rbd:pool/image", "rbd:pool/image"},
                                                  {"nbd://host:10809/export", "nbd://host:10809/export"},
                                                  {"nbd:host:10809:exportname=x", "nbd:host:10809:exportname=x"},
                                                  {"nbd+unix:///x?socket=/run/s", "nbd+unix:///x?socket=/run/s"},
                                                  {"nbd+unix:///x?socket=/run/s&tls=pw", "nbd+unix:///x?socket=/run/s"},
                                                  {"https://host", "https://host"}}));
    CHECK(public_uri(uri) == shown);
}

TEST_CASE("where a layer lies, from QEMU's name of it") {
    const auto [driver, name, kind, path, uri] = GENERATE(table<const char*, const char*, unsigned, const char*,
                                                                const char*>(
        {{"host_device", "/dev/sda", PENSTOCK_LAYER_BLOCK, "/dev/sda", ""},
         {"file", "/a.img", PENSTOCK_LAYER_FILE, "/a.img", ""},
         {"", "a:b.img", PENSTOCK_LAYER_FILE, "a:b.img", ""},
         {"", "file:/a.img", PENSTOCK_LAYER_FILE, "/a.img", ""},
         {"", "./a:b", PENSTOCK_LAYER_FILE, "./a:b", ""},
         {"nbd", "nbd://h/x", PENSTOCK_LAYER_NETWORK, "", "nbd://h/x"},
         {"", "nbd+unix://?socket=/s", PENSTOCK_LAYER_NETWORK, "", "nbd+unix://?socket=/s"},
         {"", "rbd:p/i:key=S", PENSTOCK_LAYER_NETWORK, "", "rbd:p/i"},
         {"null-co", "null-co://", PENSTOCK_LAYER_OTHER, "", "null-co://"},
         {"", R"(json:{"driver":"qcow2","file":{"driver":"file","filename":"/q"}})", PENSTOCK_LAYER_FILE, "/q", ""},
         {"",
          R"(json:{"driver":"throttle","file":{"driver":"raw","file":{"driver":"host_device","filename":"/dev/x"}}})",
          PENSTOCK_LAYER_BLOCK, "/dev/x", ""},
         {"rbd",
          R"(json:{"driver":"raw","file":{"driver":"rbd","pool":"p","image":"i","user":"u","server":[{"host":"h","port":"1"}]}})",
          PENSTOCK_LAYER_NETWORK, "", "rbd://h:1/p/i"},
         {"", R"(json:{"driver":"nbd","server":{"type":"unix","path":"/s"},"export":"e"})", PENSTOCK_LAYER_NETWORK, "",
          "nbd+unix:///e?socket=/s"},
         {"", R"(json:{"driver":"https","url":"https://u:p@h/x"})", PENSTOCK_LAYER_NETWORK, "", "https://h/x"},
         {"", "json:{", PENSTOCK_LAYER_FILE, "", ""}}));
    CAPTURE(name);
    sdk::OwnedLayer layer;
    set_source(layer, driver, name);
    CHECK(layer.kind == kind);
    CHECK(layer.path == path);
    CHECK(layer.uri == uri);
}
