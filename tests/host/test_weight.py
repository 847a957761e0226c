# SPDX-License-Identifier: Apache-2.0
"""Weights: the kernel's own files say what was set, and a verdict says whether anything acts on it."""
import pathlib

import pytest

from parts import cgroup
from parts.penstock import NOT_IN_FORCE, REFUSED, USAGE

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
