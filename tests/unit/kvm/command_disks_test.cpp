// SPDX-License-Identifier: Apache-2.0
#include "command_disks.hpp"
#include "support.hpp"

#include "catch.hpp"

using namespace penstock::kvm;

TEST_CASE("disks of captured command lines") {
    const std::string name = GENERATE("rich", "libvirt");
    const auto text = dump(disks_of_command(parse_command_line(captured(name + ".cmdline"))));
    CHECK(text == golden(name + ".cmdline.golden", text));
}

TEST_CASE("the target is the device's id, the drive's or the node's, and never twice the same") {
    auto disks = disks_of_command(parse_command_line(
        words("qemu -drive file=/a,if=none,id=drive-scsi0,format=raw -device scsi-hd,drive=drive-scsi0,bus=s.0 "
              "-drive file=/b,if=none,id=drive-scsi1,format=raw -device scsi-hd,drive=drive-scsi1,id=scsi1 "
              "-blockdev driver=host_device,filename=/dev/x,node-name=n0 -device virtio-blk-pci,drive=n0 "
              "-drive file=/c,if=virtio,format=raw,id=scsi1")));
    make_targets_unique(disks);
    REQUIRE(disks.size() == 4);
    CHECK(disks[0].target == "scsi0");
    CHECK(disks[1].target == "scsi1");
    CHECK(disks[2].target == "n0");
    CHECK(disks[2].layers[0].kind == PENSTOCK_LAYER_BLOCK);
    CHECK(disks[3].target == "scsi1-2");
}

TEST_CASE("short forms and QEMU's own names") {
    const auto disks = disks_of_command(
        parse_command_line(words("qemu -hda /a -cdrom /c -drive file=/v,if=virtio -drive file=/w,if=virtio")));
    REQUIRE(disks.size() == 4);
    CHECK(disks[0].target == "ide0-hd0");
    CHECK(disks[1].target == "ide1-cd0");
    CHECK((disks[1].flags & PENSTOCK_DISK_REMOVABLE) != 0);
    CHECK(disks[2].target == "virtio0");
    CHECK(disks[3].target == "virtio1");
}

TEST_CASE("an iothread serves a device or all that hangs on its controller") {
    const auto disks = disks_of_command(
        parse_command_line(words("qemu -object iothread,id=io0 -device virtio-scsi-pci,id=ctl,iothread=io0 -blockdev "
                                 "driver=file,filename=/a,node-name=a "
                                 "-device scsi-hd,drive=a,bus=ctl.0,id=sda "
                                 "-device "
                                 "{\"driver\":\"virtio-blk-pci\",\"drive\":\"a\",\"id\":\"v\",\"iothread-vq-mapping\":["
                                 "{\"iothread\":\"io1\"},{\"iothread\":\"io2\"}]}")));
    REQUIRE(disks.size() == 2);
    CHECK(disks[0].iothreads == std::vector<std::string>{"io0"});
    CHECK(disks[1].iothreads == std::vector<std::string>{"io1", "io2"});
}

TEST_CASE("devices that go round QEMU's block layer are said so") {
    const auto disks = disks_of_command(
        parse_command_line(words("qemu -blockdev driver=host_device,filename=/dev/sg0,node-name=a -device "
                                 "scsi-block,drive=a,id=lun -device vhost-user-blk-pci,chardev=c,id=spdk")));
    REQUIRE(disks.size() == 2);
    CHECK(disks[0].passthrough);
    CHECK(disks[1].passthrough);
    CHECK(disks[1].layers[0].kind == PENSTOCK_LAYER_OTHER);
}

TEST_CASE("node graphs that loop end") {
    CHECK(layers_of_node(parse_command_line(words("qemu -blockdev driver=qcow2,node-name=a,file=a,backing=a")), "a")
              .size() <= 256);
    CHECK(layers_of_node(parse_command_line(words("qemu -blockdev driver=throttle,node-name=a,file=a")), "a").size() <=
          256);
    CHECK(layers_of_node(parse_command_line(words("qemu -drive file=/a")), "").empty());
}
