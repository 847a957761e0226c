# SPDX-License-Identifier: Apache-2.0
"""The yardstick against the kernel, before it judges anybody: guests boot, I/O hits the loop, the meter is right."""
import time

import pytest

from parts import cgroup
from parts.cgroup import OwnCgroup
from parts.load import Load
from parts.meter import Measurement, measure

pytestmark = pytest.mark.fixtures
TEN_MB = 10_000_000


@pytest.fixture(scope="module")
def guest(parts):
    return parts.qemu()


@pytest.fixture
def own_cgroup(unique):
    with OwnCgroup(unique("cgroup")) as made:
        yield made


@pytest.mark.qemu
def test_a_guest_boots_and_gives_output_and_status(guest):
    assert guest.run("cat /sys/block/vda/size").strip() == str((64 << 20) // 512)
    assert guest.run("echo one; echo two") == "one\ntwo\n"
    with pytest.raises(RuntimeError, match="exit status 3"):
        guest.run("exit 3")


@pytest.mark.qemu
@pytest.mark.parametrize("number", [0, 1])
def test_what_a_guest_writes_is_counted_at_its_loop(guest, number):
    before = Measurement(guest.loops[number].path, 0.2).samples[-1]
    guest.run(f"dd if=/dev/zero of=/dev/vd{'ab'[number]} bs=64k count=32 oflag=direct")
    after = Measurement(guest.loops[number].path, 0.2).samples[-1]
    assert after.write_bytes - before.write_bytes == 2 << 20
    assert after.read_bytes == before.read_bytes


@pytest.mark.qemu
def test_a_limit_written_by_hand_holds_a_guest(guest, own_cgroup):
    old = cgroup.of_process(guest.pid)
    device = guest.loops[0].number
    own_cgroup.join(guest.pid)
    own_cgroup.limit(device, write_bps=TEN_MB)
    assert cgroup.limits(own_cgroup.folder, device) == {"write_bps": TEN_MB}
    with Load(guest, "/dev/vda"):
        time.sleep(1)
        measured = Measurement(guest.loops[0].path, 10)
    cgroup.lift(own_cgroup.folder, device)
    (old / "cgroup.procs").write_text(str(guest.pid))
    assert measured.mean.write_bps == pytest.approx(TEN_MB, rel=0.03), str(measured.mean)
    assert len(measured.windows()) in (9, 10)


@pytest.mark.qemu
def test_qemu_s_own_limit_holds_a_guest(guest):
    limits = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops", "iops_rd", "iops_wr"), 0)
    where = "/machine/peripheral/vd0/virtio-backend"
    guest.qmp("block_set_io_throttle", id=where, **{**limits, "iops_wr": 200})
    assert guest.throttle("vd0")["iops_wr"] == 200
    with Load(guest, "/dev/vda", block=4096):
        time.sleep(1.5)
        rates = measure(guest.loops[0].path, 5)
    guest.qmp("block_set_io_throttle", id=where, **limits)
    assert rates.write_iops == pytest.approx(200, rel=0.03), str(rates)


@pytest.mark.lxc
@pytest.mark.parametrize("unprivileged", [False, True], ids=["privileged", "unprivileged"])
def test_a_limit_written_by_hand_holds_a_container(parts, unprivileged):
    container = parts.container(unprivileged, own_root=True, disks=1)
    assert container.run("id -u").strip() == "0"
    cgroup.write_limit(container.cgroup, container.loops[0].number, write_iops=200)
    cgroup.write_limit(container.cgroup, container.root_loop.number, write_bps=TEN_MB)
    with Load(container, "/dev/xvdb", block=4096), Load(container, "/file", size=16 << 20):
        time.sleep(1)
        disk = measure(container.loops[0].path, 4)
        root = measure(container.root_loop.path, 4)
    assert disk.write_iops == pytest.approx(200, rel=0.03), str(disk)
    # What was let through before may be done within these seconds, where the loop's own file system has held it up.
    assert root.write_bps == pytest.approx(TEN_MB, rel=0.15), str(root)


@pytest.mark.libvirt
def test_a_domain_boots_and_libvirt_s_limit_holds_it(libvirtd, parts):
    domain = parts.domain()
    domain.blkdeviotune("vda", "--write-bytes-sec", str(TEN_MB))
    assert domain.blkdeviotune("vda")["write_bytes_sec"] == TEN_MB
    with Load(domain, "/dev/vda"):
        time.sleep(1.5)
        rates = measure(domain.loops[0].path, 4)
    assert rates.write_bps == pytest.approx(TEN_MB, rel=0.03), str(rates)
    assert cgroup.of_process(domain.pid).is_dir()


def test_a_partitioned_loop_has_its_partitions(parts):
    loop = parts.loop(partitions=True)
    assert loop.partition(1).endswith("p1") and loop.partition(2).endswith("p2")
