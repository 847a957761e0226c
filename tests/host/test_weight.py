# SPDX-License-Identifier: Apache-2.0
"""Weights: the kernel's own files say what was set, and a verdict says whether anything acts on it."""
import pathlib

import pytest

from parts import cgroup
from parts.penstock import NO_SUCH, NOT_IN_FORCE, REFUSED, USAGE

pytestmark = pytest.mark.qemu
PREFIX = "blkio.bfq" if cgroup.version() == 1 else "io.bfq"


class Scheduler:
    def __init__(self, loop):
        self._file = pathlib.Path("/sys/class/block") / loop.name / "queue" / "scheduler"

    def has(self, name):
        return name in self._file.read_text().replace("[", "").replace("]", "").split()

    def use(self, name):
        self._file.write_text(name)


@pytest.fixture(scope="module")
def guest(parts):
    return parts.qemu(disks=2, boot=False, extra=("-S",))


@pytest.fixture
def bfq(guest):
    schedulers = [Scheduler(loop) for loop in guest.loops]
    if not schedulers[0].has("bfq"):
        pytest.skip("this host lacks: the BFQ scheduler (modprobe bfq)")
    for scheduler in schedulers:
        scheduler.use("bfq")
    yield schedulers
    for scheduler in schedulers:
        scheduler.use("none")


@pytest.fixture
def address(penstock, guest):
    found = penstock.address(guest.name, guest.loops[0])
    yield found
    for disk in ("vda", "vdb"):
        penstock.run("clear", f"{guest.name}:{disk}", status=None)
    penstock.run("clear", found, status=None)


def device_weight(guest, loop):
    """The device's own weight, from the kernel; None where it has none."""
    folder = cgroup.of_process(guest.pid)
    name = f"{PREFIX}.weight_device" if cgroup.version() == 1 else f"{PREFIX}.weight"
    if not (folder / name).exists():
        return None  # the root cgroup
    lines = dict(line.split() for line in (folder / name).read_text().splitlines())
    return int(lines[loop.number]) if loop.number in lines else None


def group_weight(guest):
    file = cgroup.of_process(guest.pid) / f"{PREFIX}.weight"
    return int(file.read_text().split()[-1 if cgroup.version() == 1 else 1])


def test_a_weight_is_the_devices_own_and_goes_again(penstock, guest, address, bfq):
    penstock.set(address, "--weight", "300")
    assert device_weight(guest, guest.loops[0]) == 300
    assert device_weight(guest, guest.loops[1]) is None and group_weight(guest) == 100
    disk = penstock.disk(guest.name, guest.loops[0])
    assert disk["limits"]["weight"] == 300 and disk["verdict"]["kind"] == "enforced"
    penstock.set(address, "--write-bps", "20M")
    assert device_weight(guest, guest.loops[0]) == 300
    penstock.run("clear", address, "--weight")
    assert device_weight(guest, guest.loops[0]) is None
    assert cgroup.limits(cgroup.of_process(guest.pid), guest.loops[0].number) == {"write_bps": 20_000_000}


def test_a_weight_beyond_the_scale_of_bfq_says_what_it_counts_as(penstock, guest, address, bfq):
    said = penstock.set(address, "--weight", "5000")
    assert device_weight(guest, guest.loops[0]) == 1000 and "5000 counts as 1000" in said.err


def test_what_someone_else_had_set_comes_back(penstock, guest, address, bfq):
    penstock.set(address, "--write-bps", "20M", via="cgroup")  # gives the guest its cgroup
    folder = cgroup.of_process(guest.pid)
    name = "blkio.bfq.weight_device" if cgroup.version() == 1 else "io.bfq.weight"
    (folder / name).write_text(f"{guest.loops[0].number} 70")
    penstock.set(address, "--weight", "700")
    assert device_weight(guest, guest.loops[0]) == 700
    penstock.run("clear", address, "--weight")
    assert device_weight(guest, guest.loops[0]) == 70
    (folder / name).write_text(f"{guest.loops[0].number} default")


def test_a_foreign_hand_is_drift(penstock, guest, address, bfq):
    penstock.set(address, "--weight", "300")
    folder = cgroup.of_process(guest.pid)
    name = "blkio.bfq.weight_device" if cgroup.version() == 1 else "io.bfq.weight"
    (folder / name).write_text(f"{guest.loops[0].number} 90")
    assert penstock.disk(guest.name, guest.loops[0])["verdict"]["kind"] == "drifted"
    penstock.run("set", address)
    assert device_weight(guest, guest.loops[0]) == 300


def test_without_a_scheduler_that_weighs_it_is_ineffective(penstock, guest, address, bfq):
    bfq[0].use("none")
    said = penstock.set(address, "--weight", "300", status=NOT_IN_FORCE)
    assert "none" in said.err and guest.loops[0].name in said.err
    assert group_weight(guest) == 100  # it would count for the guest's other disk as well
    verdict = penstock.disk(guest.name, guest.loops[0])["verdict"]
    assert verdict["kind"] == "ineffective" and "doctor --fix" in verdict["remedy"]
    bfq[0].use("bfq")
    assert penstock.disk(guest.name, guest.loops[0])["verdict"]["kind"] == "drifted"
    penstock.run("set", address)
    assert device_weight(guest, guest.loops[0]) == 300 and group_weight(guest) == 100


def test_a_scheduler_that_is_taken_away_is_ineffective_and_not_drift(penstock, guest, address, bfq):
    penstock.set(address, "--weight", "300")
    bfq[0].use("none")
    assert penstock.disk(guest.name, guest.loops[0])["verdict"]["kind"] == "ineffective"


def test_a_whole_instance_gets_it_on_each_device(penstock, guest, address, bfq):
    penstock.run("set", guest.name, "--weight", "200")
    assert [device_weight(guest, loop) for loop in guest.loops] == [200, 200]
    penstock.run("clear", guest.name)
    assert [device_weight(guest, loop) for loop in guest.loops] == [None, None]


def test_explain_tells_the_share(penstock, guest, address, bfq, unique):
    penstock.set(address, "--weight", "300")
    found = penstock.json("explain", address)["weight"]
    bfq_share = found["devices"][0]["policies"][0]
    assert found["acts"] and bfq_share["policy"] == "BFQ" and bfq_share["weight"] == 300
    assert 0 < bfq_share["share_percent"] <= 100


@pytest.mark.parametrize("value", ["0", "10001", "-1", "1.5", "heavy", "1k"])
def test_a_bad_weight_is_a_usage_error(penstock, guest, address, value):
    assert penstock.run("set", address, f"--weight={value}", status=USAGE).err


def test_qemus_limiter_has_no_weights(penstock, address):
    assert "weight" in penstock.set(address, "--weight", "300", via="native", status=REFUSED).err


def queue(loop, file):
    text = (pathlib.Path("/sys/class/block") / loop.name / "queue" / file).read_text().strip()
    return text[text.index("[") + 1:text.index("]")] if "[" in text else text


def test_the_doctor_makes_a_weight_act_and_puts_all_back(penstock, guest, address, bfq):
    for scheduler in bfq:
        scheduler.use("mq-deadline")
    loop, other = guest.loops
    requests = queue(loop, "nr_requests")
    penstock.set(address, "--weight", "300", status=NOT_IN_FORCE)
    checks = [one["check"] for one in penstock.json("doctor", status=None)["findings"] if address in one["subject"]]
    assert "limit.not_in_force" in checks

    said = penstock.run("doctor", "--fix", "--dry-run").out
    assert "bfq" in said and "mq-deadline" in said and queue(loop, "scheduler") == "mq-deadline"
    penstock.run("doctor", "--fix")
    assert queue(loop, "scheduler") == "bfq" and queue(loop, "iosched/low_latency") == "0"
    assert queue(loop, "iosched/strict_guarantees") == "1"
    assert queue(other, "scheduler") == "mq-deadline"  # carries no weight
    assert device_weight(guest, loop) == 300
    assert penstock.disk(guest.name, loop)["verdict"]["kind"] == "enforced"
    assert "nothing to do" in penstock.run("doctor", "--fix").out

    penstock.run("doctor", "--undo", "--dry-run")
    assert queue(loop, "scheduler") == "bfq"
    penstock.run("doctor", "--undo")
    assert queue(loop, "scheduler") == "mq-deadline" and queue(loop, "nr_requests") == requests
    assert "nothing to put back" in penstock.run("doctor", "--undo").out


def test_the_doctor_fixes_a_device_that_is_named(penstock, guest, bfq):
    loop = guest.loops[1]
    bfq[1].use("none")
    assert penstock.json("doctor", "--fix", loop.path)["devices"][0]["device"] == loop.name
    assert queue(loop, "scheduler") == "bfq"
    penstock.run("doctor", "--undo", loop.name)
    assert queue(loop, "scheduler") == "none"


def test_the_doctor_refuses_what_is_no_device(penstock):
    assert "lsblk" in penstock.run("doctor", "--fix", "no-such-device", status=NO_SUCH).err
    assert penstock.run("doctor", "--fix", "/etc/passwd", status=USAGE).err
    assert penstock.run("doctor", "--fix", "--undo", status=USAGE).err
    assert penstock.run("doctor", "sda", status=USAGE).err


def test_the_doctor_finds_a_limit_on_a_device_that_is_not_the_guests(penstock, guest, address, parts):
    penstock.set(address, "--write-bps", "20M", via="cgroup")
    stranger = parts.loop()
    folder = cgroup.of_process(guest.pid)
    cgroup.write_limit(folder, stranger.number, write_bps=1_000_000)
    try:
        found = [one for one in penstock.json("doctor", status=None)["findings"]
                 if one["check"] == "limit.wrong_device" and guest.name in one["subject"]]
        assert len(found) == 1 and stranger.name in found[0]["evidence"]
    finally:
        cgroup.lift(folder, stranger.number)


def test_the_doctor_finds_two_limits_on_one_disk(penstock, guest, address):
    penstock.set(address, "--write-bps", "20M", via="cgroup")
    guest.qmp("block_set_io_throttle", id="/machine/peripheral/vd0/virtio-backend", bps=0, bps_rd=0,
              bps_wr=30_000_000, iops=0, iops_rd=0, iops_wr=0)
    try:
        found = [one for one in penstock.json("doctor", status=None)["findings"] if one["check"] == "limit.twice"]
        assert [one for one in found if address in one["subject"] and "30M" in one["evidence"]]
    finally:
        guest.qmp("block_set_io_throttle", id="/machine/peripheral/vd0/virtio-backend", bps=0, bps_rd=0, bps_wr=0,
                  iops=0, iops_rd=0, iops_wr=0)
