// SPDX-License-Identifier: Apache-2.0
#include "domain_status.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

TEST_CASE("libvirt's status file, captured") {
    const auto command = parse_command_line(captured("libvirt.cmdline"));
    const auto domain = parse_domain(captured("domain.status.xml"), command);
    REQUIRE(domain);
    CHECK(domain->pid == 22838);
    CHECK(domain->name == "kvmcap");
    CHECK(domain->uuid == "4e2331fe-d6db-4de2-b29a-8d1e220e3719");
    const auto text = dump(domain->disks);
    CHECK(text == golden("domain.golden", text));
    CHECK(domain->disks[0].alias == "virtio-disk0");
}

TEST_CASE("what virDomainGetXMLDesc gives says the same of the disks, without the nodes") {
    const auto domain = parse_domain(captured("domain.xml"), parse_command_line(captured("libvirt.cmdline")));
    REQUIRE(domain);
    CHECK(domain->pid == 0);
    REQUIRE(domain->disks.size() == 3);
    CHECK(domain->disks[0].target == "vda");
    CHECK(domain->disks[1].layers.size() == 2);
}

TEST_CASE("the first bytes tell whose file it is") {
    const auto text = captured("domain.status.xml");
    const auto head = parse_domain_head(std::string_view{text}.substr(0, 2048));
    REQUIRE(head);
    CHECK(head->pid == 22838);
    CHECK(head->state == PENSTOCK_STATE_RUNNING);
    CHECK(parse_domain_head("<domstatus state='paused' reason='user' pid='7'><monitor")->state ==
          PENSTOCK_STATE_PAUSED);
    for (const char* bad : {"", "<", "<domstatus", "<domstatus pid='x'>", "<domain pid='7'>", "\x00\xff"})
        CHECK_FALSE(parse_domain_head(bad));
}

TEST_CASE("a file that was cut, wherever, is refused or understood, never more") {
    const auto text = captured("domain.status.xml");
    for (std::size_t n = 0; n < text.size(); n += 97)
        CHECK_NOTHROW(parse_domain(std::string_view{text}.substr(0, n), {}));
    CHECK_FALSE(parse_domain(std::string_view{text}.substr(0, text.size() / 2), {}));
}

TEST_CASE("sources of every type") {
    const auto layer = [](const std::string& disk) {
        const auto domain = parse_domain("<domain><uuid>u</uuid><devices>" + disk + "</devices></domain>", {});
        REQUIRE(domain);
        REQUIRE(domain->disks.size() == 1);
        REQUIRE(domain->disks[0].layers.size() == 1);
        return domain->disks[0];
    };
    const auto rbd =
        layer("<disk type='network' device='disk'><driver type='raw'/><auth username='admin'><secret uuid='s'/></auth>"
              "<source protocol='rbd' name='pool/image'><host name='mon' port='6789'/></source><target dev='vdb' "
              "bus='virtio'/></disk>");
    CHECK(rbd.layers[0].uri == "rbd://mon:6789/pool/image");
    CHECK(rbd.layers[0].kind == PENSTOCK_LAYER_NETWORK);
    const auto lun = layer("<disk type='block' device='lun'><driver type='raw' cache='none'/><source "
                           "dev='/dev/sg1'/><target dev='sda' bus='scsi'/></disk>");
    CHECK(lun.driver == "scsi-block");
    CHECK((lun.flags & PENSTOCK_DISK_NATIVE_LIMIT) == 0);
    CHECK(lun.cache_mode == PENSTOCK_CACHE_DIRECT);
    const auto vhost = layer(
        "<disk type='vhostuser' device='disk'><source type='unix' path='/s'/><target dev='vdc' bus='virtio'/></disk>");
    CHECK(vhost.passthrough);
    const auto volume =
        layer("<disk type='volume' device='disk'><source pool='p' volume='v'/><target dev='vdd' bus='virtio'/></disk>");
    CHECK(volume.layers[0].uri == "volume:p/v");
}
