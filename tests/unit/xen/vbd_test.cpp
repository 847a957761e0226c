// SPDX-License-Identifier: Apache-2.0
#include "vbd.hpp"

#include "catch.hpp"

using penstock::xen::parse_physical_device;
using Number = std::pair<std::uint32_t, std::uint32_t>;

TEST_CASE("physical-device is hexadecimal") {
    CHECK(parse_physical_device("fc:0") == Number{252, 0}); // the device mapper of the captured host
    CHECK(parse_physical_device("fe:11") == Number{254, 17});
    CHECK(parse_physical_device("7:5") == Number{7, 5});
    CHECK(parse_physical_device("fff:fffff") == Number{4095, 1048575});
}

TEST_CASE("what is no device number is none") {
    for (const char* text : {"", ":", "fc", "fc:", ":0", "fc:0:0", "fc:0 ", "0xfc:0", "-1:0", "+8:0", "g:0", "0:1",
                             "1000:0", "8:100000", "ffffffffff:0", "../../x"}) {
        INFO(text);
        CHECK(!parse_physical_device(text));
    }
}
