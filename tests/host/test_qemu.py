# SPDX-License-Identifier: Apache-2.0
"""Limits on a QEMU that somebody started by hand: through the cgroup and through QEMU's own limiter."""
import pytest

from parts import cgroup
from parts.expect import assert_faster, assert_rate
from parts.load import Load
from parts.penstock import REFUSED

pytestmark = pytest.mark.qemu
VIA = pytest.mark.parametrize("via", ["cgroup", "native"])


@pytest.fixture(scope="module")
def guest(parts):
    return parts.qemu()


@pytest.fixture
def addresses(penstock, guest):
    """INSTANCE:DISK of both disks; whatever a test set is cleared after it."""
    found = [penstock.address(guest.name, loop) for loop in guest.loops]
    yield found
    for address in found:
        penstock.run("clear", address, status=None)


def read_back(guest, via, number=0):
    """What is set, from the source that enforces it: the kernel's file or query-block."""
    if via == "cgroup":
        return cgroup.limits(cgroup.of_process(guest.pid), guest.loops[number].number)
    names = {"bps_rd": "read_bps", "bps_wr": "write_bps", "bps": "total_bps",
             "iops_rd": "read_iops", "iops_wr": "write_iops", "iops": "total_iops"}
    return {names[key]: value for key, value in guest.throttle(f"vd{number}").items() if key in names and value}


def test_it_is_listed_with_both_disks_and_their_devices(penstock, guest):
    listed = penstock.instance(guest.name)
    assert listed["kind"] == "kvm" and listed["id"] == guest.uuid
    assert listed["state"] == "running" and listed["main_pid"] == guest.pid
    for loop in guest.loops:
        assert not penstock.disk(guest.name, loop)["limits"]


def test_explain_shows_the_way_from_the_guest_s_disk_to_the_device(penstock, guest, addresses):
    said = penstock.run("explain", addresses[0]).out
    for word in (f"loop {guest.loops[0].name} {guest.loops[0].number}", str(guest.pid), "io0", "cgroup", "native"):
        assert word in said, f"no {word!r} in:\n{said}"
    assert penstock.json("explain", addresses[0])


@VIA
def test_bandwidth_is_reached_changed_up_and_down_and_cleared(penstock, guest, addresses, via):
    loop = guest.loops[0]
    with Load(guest, "/dev/vda"):
        penstock.set(addresses[0], "--write-bps", "10M", via=via)
        assert read_back(guest, via) == {"write_bps": 10_000_000}
        assert_rate(loop, 10_000_000)
        penstock.set(addresses[0], "--write-bps", "20M", via=via)
        assert_rate(loop, 20_000_000, seconds=5)
        penstock.set(addresses[0], "--write-bps", "10M", via=via)
        assert_rate(loop, 10_000_000, seconds=5)
        penstock.clear(addresses[0])
        assert read_back(guest, via) == {}
        assert_faster(loop, 10_000_000)


@VIA
def test_iops_are_reached_changed_up_and_down_and_cleared(penstock, guest, addresses, via):
    loop = guest.loops[1]
    with Load(guest, "/dev/vdb", block=4096):
        penstock.set(addresses[1], "--write-iops", "200", via=via)
        assert read_back(guest, via, 1) == {"write_iops": 200}
        assert_rate(loop, 200, "write_iops")
        penstock.set(addresses[1], "--write-iops", "300", via=via)
        assert_rate(loop, 300, "write_iops", seconds=5)
        penstock.set(addresses[1], "--write-iops", "200", via=via)
        assert_rate(loop, 200, "write_iops", seconds=5)
        penstock.clear(addresses[1])
        assert_faster(loop, 200, "write_iops")


@VIA
def test_reads_are_held_and_writes_are_not(penstock, guest, addresses, via):
    penstock.set(addresses[0], "--read-bps", "10M", via=via)
    with Load(guest, "/dev/vda", write=False):
        assert_rate(guest.loops[0], 10_000_000, "read_bps", seconds=5)
    with Load(guest, "/dev/vda"):
        assert_faster(guest.loops[0], 10_000_000)


@VIA
def test_bandwidth_and_iops_together_and_one_field_leaves_its_siblings(penstock, guest, addresses, via):
    penstock.set(addresses[0], "--write-bps", "10M", "--read-iops", "500", via=via)
    penstock.set(addresses[0], "--write-iops", "200", via=via)
    assert read_back(guest, via) == {"write_bps": 10_000_000, "read_iops": 500, "write_iops": 200}
    with Load(guest, "/dev/vda", block=4096):
        assert_rate(guest.loops[0], 200, "write_iops", seconds=5)
    penstock.clear(addresses[0], "--write-iops")
    assert read_back(guest, via) == {"write_bps": 10_000_000, "read_iops": 500}
    with Load(guest, "/dev/vda"):
        assert_rate(guest.loops[0], 10_000_000, seconds=5)


@VIA
def test_the_other_disk_is_left_alone(penstock, guest, addresses, via):
    penstock.set(addresses[0], "--write-bps", "10M", via=via)
    assert read_back(guest, via, 1) == {}
    with Load(guest, "/dev/vdb"):
        assert_faster(guest.loops[1], 10_000_000)


def test_a_total_is_refused_on_a_cgroup_and_done_natively(penstock, guest, addresses):
    said = penstock.set(addresses[0], "--total-bps", "50M", via="cgroup", status=REFUSED)
    assert "total" in said.err and "native" in said.err
    assert read_back(guest, "cgroup") == {} and read_back(guest, "native") == {}
    penstock.set(addresses[0], "--total-bps", "50M")
    assert read_back(guest, "native") == {"total_bps": 50_000_000}


def test_status_tells_what_is_in_force_and_what_somebody_changed(penstock, guest, addresses):
    penstock.set(addresses[0], "--write-bps", "10M", via="cgroup")
    assert penstock.disk(guest.name, guest.loops[0])["verdict"]["kind"] == "enforced"
    penstock.run("status")
    folder = cgroup.of_process(guest.pid)
    cgroup.write_limit(folder, guest.loops[0].number, write_bps=5_000_000)
    said = penstock.run("status", status=6)
    assert "drifted" in said.out


def test_clear_takes_the_cgroup_away_and_puts_the_process_back(penstock, guest, addresses):
    before = cgroup.of_process(guest.pid)
    penstock.set(addresses[0], "--write-bps", "10M", via="cgroup")
    moved_to = cgroup.of_process(guest.pid)
    penstock.clear(addresses[0])
    assert cgroup.of_process(guest.pid) == before
    assert moved_to == before or not moved_to.exists()


def test_a_limit_on_a_partition_acts_on_its_whole_disk_and_says_so(penstock, parts):
    loop = parts.loop(partitions=True)
    options = ("-S", "-drive", f"file={loop.partition(1)},format=raw,if=none,id=part,cache=none",
               "-device", "virtio-blk-pci,drive=part,id=vdp")
    guest = parts.qemu(disks=0, boot=False, extra=options)
    address = penstock.address(guest.name, loop)
    said = penstock.run("explain", address).out
    assert loop.partition(1) in said and f"acts on all of {loop.name}" in said, said
    penstock.set(address, "--write-bps", "10M", via="cgroup")
    assert cgroup.limits(cgroup.of_process(guest.pid), loop.number) == {"write_bps": 10_000_000}
    penstock.clear(address)
