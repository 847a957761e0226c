// SPDX-License-Identifier: Apache-2.0
#include "params.hpp"

#include "catch.hpp"

using penstock::xen::parse_params;

TEST_CASE("what a qdisk is made of") {
    struct Case {
        const char *params, *format, *path, *uri;
    };
    for (const auto& c :
         {Case{"aio:/var/img/qdisk.raw", "raw", "/var/img/qdisk.raw", ""},
          Case{"qcow2:/srv/a:b.qcow2", "qcow2", "/srv/a:b.qcow2", ""},
          Case{"tap:aio:/srv/x.img", "raw", "/srv/x.img", ""}, Case{"host_device:/dev/vg0/x", "raw", "/dev/vg0/x", ""},
          Case{"/srv/x.img", "", "/srv/x.img", ""}, Case{"raw:nbd:127.0.0.1:10809", "raw", "", "nbd:127.0.0.1:10809"},
          Case{"rbd:pool/image:id=admin", "", "", "rbd:pool/image:id=admin"}, Case{"", "", "", ""}}) {
        const auto found = parse_params(c.params);
        INFO(c.params);
        CHECK(found.format == c.format);
        CHECK(found.path == c.path);
        CHECK(found.uri == c.uri);
    }
}
