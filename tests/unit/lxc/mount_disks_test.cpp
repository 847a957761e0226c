// SPDX-License-Identifier: Apache-2.0
#include "mount_disks.hpp"

#include "catch.hpp"
#include "data.hpp"
#include "device_nodes.hpp"

#include <penstock/disk_record.hpp>

#include <map>

using namespace penstock::lxc;

namespace {

using Files = std::map<std::string, FileFacts>;

Views views_of(Files inside, Files outside = {}) {
    const auto look = [](Files files) {
        return [files = std::move(files)](const std::string& path) -> std::optional<FileFacts> {
            const auto found = files.find(path);
            return found == files.end() ? std::nullopt : std::optional{found->second};
        };
    };
    return {look(std::move(inside)), look(std::move(outside))};
}

FileFacts directory(std::uint64_t mount_id, std::uint32_t major = 254, std::uint32_t minor = 0) {
    FileFacts facts;
    facts.major = major;
    facts.minor = minor;
    facts.mount_id = mount_id;
    facts.directory = true;
    return facts;
}

FileFacts regular(std::uint64_t mount_id) {
    FileFacts facts;
    facts.mount_id = mount_id;
    facts.regular = true;
    return facts;
}

// One line a disk and a layer, as the goldens hold them.
std::string text_of(const std::vector<penstock::sdk::OwnedDisk>& disks) {
    std::string out;
    for (const auto& disk : disks) {
        out += disk.target + " " + disk.driver + " " + disk.native_id +
               (disk.flags & PENSTOCK_DISK_READ_ONLY ? " ro" : "") + "\n";
        for (const auto& layer : disk.layers) {
            out += "  " + std::to_string(layer.kind) + " " + layer.format + " " + layer.path + layer.uri + layer.node;
            if (layer.flags & PENSTOCK_LAYER_HAS_ST_DEV)
                out += " on " + std::to_string(layer.st_dev_major) + ":" + std::to_string(layer.st_dev_minor);
            if (layer.flags & PENSTOCK_LAYER_HAS_RDEV)
                out += " is " + std::to_string(layer.rdev_major) + ":" + std::to_string(layer.rdev_minor);
            out += layer.flags & PENSTOCK_LAYER_READ_ONLY ? " ro\n" : "\n";
        }
    }
    return out;
}

std::string disks_of(const std::string& mountinfo, const Views& views) {
    return text_of(disks_of_mounts(parse_mountinfo(mountinfo), views));
}

} // namespace

TEST_CASE("the disks of real containers") {
    CHECK(disks_of(captured("privileged.mountinfo"), views_of({})) == captured("privileged.golden"));
    CHECK(disks_of(captured("loop.mountinfo"), views_of({})) == captured("loop.golden"));
    CHECK(
        disks_of(captured("unprivileged.mountinfo"),
                 views_of({{"/srv/my db", directory(171)}, {"/vol", directory(172)}, {"/etc/hosts", regular(173)}})) ==
        captured("unprivileged.golden"));
    CHECK(disks_of(captured("overlay.mountinfo"),
                   views_of({}, {{"/tmp/lxcw/ovl/delta", directory(1, 254, 3)}, {"/tmp/lxcw/rootfs", directory(1)}})) ==
          captured("overlay.golden"));
}

TEST_CASE("a mount that another one hides is no disk") {
    const std::string mounts = "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n"
                               "2 1 7:1 / /data rw - ext4 /dev/loop1 rw\n"
                               "3 1 7:2 / /data rw - xfs /dev/loop2 rw\n"
                               "4 1 7:3 / /data/below rw - ext4 /dev/loop3 rw\n";
    CHECK(disks_of(mounts, views_of({{"/data", directory(3)}, {"/data/below", directory(3)}})) ==
          "rootfs mount /\n  3 ext4 / on 7:0\n  2  /dev/loop0 is 7:0\n"
          "data mount /data\n  3 xfs /data on 7:2\n  2  /dev/loop2 is 7:2\n");
}

TEST_CASE("the number is the kernel's word, the source only a name") {
    CHECK(disks_of("1 0 7:0 / / rw - ext4 /dev/root rw\n2 1 7:9 / /d rw - ext4 somewhere rw\n", views_of({})) ==
          "rootfs mount /\n  3 ext4 / on 7:0\n  2  /dev/root is 7:0\n"
          "d mount /d\n  3 ext4 /d on 7:9\n  2   is 7:9\n");
}

TEST_CASE("file systems that number themselves") {
    FileFacts disk;
    disk.block_device = true;
    disk.rmajor = 8;
    disk.rminor = 16;
    CHECK(disks_of("1 0 0:30 /@ / rw - btrfs /dev/sdb rw\n"
                   "2 1 0:31 / /tank rw - zfs tank/ct/101 rw\n"
                   "3 1 0:32 / /nfs ro - nfs4 srv:/export rw\n"
                   "4 1 0:33 / /smb rw - cifs user:pw@//srv/share rw\n"
                   "5 1 0:34 / /t rw - tmpfs /dev/sdb rw\n"
                   "6 1 0:35 / /f rw - fuse.sshfs x rw\n"
                   "7 1 0:36 / /var/lib/lxcfs rw - fuse.lxcfs lxcfs rw\n",
                   views_of({}, {{"/dev/sdb", disk}})) == "rootfs mount /\n  3 btrfs / on 0:30\n  2  /dev/sdb is 8:16\n"
                                                          "tank mount /tank\n  3 zfs /tanktank/ct/101 on 0:31\n"
                                                          "nfs mount /nfs ro\n  4 nfs4 /nfssrv:/export\n"
                                                          "smb mount /smb\n  4 cifs /smb//srv/share\n"
                                                          "f mount /f\n  5 fuse.sshfs /f\n");
}

TEST_CASE("single files and inner overlays are disks only for a device that nothing else brings in") {
    const std::string mounts = "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n"
                               "2 1 7:0 /hosts /etc/hosts rw - ext4 /dev/loop0 rw\n"
                               "3 1 7:5 /f /etc/far rw - ext4 /dev/loop5 rw\n"
                               "4 1 0:50 / /docker/1 rw - overlay overlay rw,lowerdir=/l,upperdir=/u\n"
                               "5 1 0:51 / /docker/2 rw - overlay overlay rw,lowerdir=/l,upperdir=/u2\n";
    CHECK(disks_of(mounts, views_of({{"/etc/hosts", regular(2)},
                                     {"/etc/far", regular(3)},
                                     {"/u", directory(1, 7, 0)},
                                     {"/u2", directory(9, 7, 8)}})) ==
          "rootfs mount /\n  3 ext4 / on 7:0\n  2  /dev/loop0 is 7:0\n"
          "etc/far mount /etc/far\n  3 ext4 /etc/far on 7:5\n  2  /dev/loop5 is 7:5\n"
          "docker/2 mount /docker/2\n  3 overlay /docker/2 on 0:51\n  3  /u2 on 7:8\n  3  /l ro\n");
}

TEST_CASE("one tree mounted twice is one disk, and targets are unique") {
    const std::string mounts = "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n"
                               "2 1 7:1 /v /a rw - ext4 /dev/loop1 rw\n"
                               "3 1 7:1 /v /b rw - ext4 /dev/loop1 rw\n"
                               "4 1 7:2 / /rootfs rw - ext4 /dev/loop2 rw\n"
                               "5 1 7:0 / /again rw - ext4 /dev/loop0 rw\n";
    const auto disks = disks_of_mounts(parse_mountinfo(mounts), views_of({}));
    REQUIRE(disks.size() == 3);
    CHECK(disks[1].target == "a");
    CHECK(disks[2].target == "rootfs-2");
}

TEST_CASE("a tenant cannot make more disks than anybody could read") {
    std::string mounts = "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n";
    for (int i = 2; i < 5000; ++i)
        mounts += std::to_string(i) + " 1 7:1 /" + std::to_string(i) + " /m" + std::to_string(i) + " rw - ext4 x rw\n";
    CHECK(disks_of_mounts(parse_mountinfo(mounts), views_of({})).size() == 512);
}

TEST_CASE("device nodes that the container may not open are no disks") {
    std::vector<penstock::sdk::OwnedDisk> disks(1);
    disks[0].target = "sdb";
    add_device_disks(disks, {{"sda", 8, 0}, {"sdb", 8, 16}, {"mapper/x", 253, 0}}, "b 8:16 r\nb 253:* rwm\n");
    CHECK(text_of({disks.begin() + 1, disks.end()}) ==
          "sdb-2 device /dev/sdb ro\n  2 raw /dev/sdb is 8:16 ro\n"
          "mapper/x device /dev/mapper/x\n  2 raw /dev/mapper/x is 253:0\n");
    std::vector<penstock::sdk::OwnedDisk> unknown;
    add_device_disks(unknown, {{"sda", 8, 0}}, std::nullopt);
    REQUIRE(unknown.size() == 1);
    CHECK(!unknown[0].note.empty());
}
