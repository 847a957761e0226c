# SPDX-License-Identifier: Apache-2.0
"""Limits whose device number stands for something else now, and limits on another layer of a stack."""
import pytest

from parts import cgroup
from parts.penstock import NOT_IN_FORCE, NO_SUCH
from parts.process import run

pytestmark = pytest.mark.lxc


@pytest.fixture(scope="module")
def container(parts):
    return parts.container(disks=1)


@pytest.fixture
def disk(penstock, container):
    address = penstock.address(container.name, container.loops[0])
    yield address
    penstock.run("clear", address, status=None)


def _of(container, limits):
    """Those of this container: records of instances that other tests have ended are there too."""
    return [limit for limit in limits if limit["name"] == container.name]


def _swap_image(loop):
    """Another file on the same loop device. The kernel keeps the limits that the number has (measured, Linux 6.1)."""
    other = loop.image.with_suffix(".other")
    with open(other, "wb") as file:
        file.truncate(32 << 20)
    run(["losetup", "--detach", loop.path])
    run(["losetup", loop.path, other])
    return other


def test_a_recycled_number_does_not_keep_the_limit(penstock, container, disk):
    loop = container.loops[0]
    penstock.set(disk, "--write-bps", "10M")
    other = _swap_image(loop)
    try:
        assert cgroup.limits(container.cgroup, loop.number) == {"write_bps": 10_000_000}
        [limit] = _of(container, penstock.json("status", status=NOT_IN_FORCE)["limits"])
        assert limit["verdict"]["kind"] == "drifted" and "diskseq" in limit["verdict"]["reason"]

        [planned] = _of(container, penstock.json("gc", "--dry-run")["stale"])
        assert planned["lifted"] and cgroup.limits(container.cgroup, loop.number) != {}

        [stale] = _of(container, penstock.json("gc")["stale"])
        assert (stale["name"], stale["disk"], stale["lifted"]) == (container.name, disk.split(":")[1], True)
        assert cgroup.limits(container.cgroup, loop.number) == {}
        assert _of(container, penstock.json("status", status=None)["limits"]) == []
    finally:
        run(["losetup", "--detach", loop.path])
        run(["losetup", loop.path, loop.image])
        other.unlink()


def test_gc_keeps_what_is_in_force(penstock, container, disk):
    penstock.set(disk, "--read-bps", "10M")
    assert _of(container, penstock.json("gc")["stale"]) == []
    assert cgroup.limits(container.cgroup, container.loops[0].number) == {"read_bps": 10_000_000}


def test_gc_forgets_what_has_ended_only_when_asked(penstock, parts):
    guest = parts.container(disks=1)
    penstock.set(penstock.address(guest.name, guest.loops[0]), "--read-bps", "10M")
    guest.kill()
    assert _of(guest, penstock.json("gc")["stale"]) == []
    [stale] = _of(guest, penstock.json("gc", "--ended")["stale"])
    assert not stale["lifted"]
    assert penstock.json("status")["not_running"] == []


def test_an_unknown_layer_is_refused_with_those_there_are(penstock, container, disk):
    loop = container.loops[0]
    said = penstock.set(disk, "--read-bps", "10M", "--layer", "nosuch0", status=NO_SUCH)
    assert "nosuch0" in said.err and loop.name in said.err
    assert cgroup.limits(container.cgroup, loop.number) == {}


def test_a_layer_that_lets_io_pass_is_set_and_judged_so(penstock, container, disk):
    """The disk below a loop device that writes through the page cache."""
    explained = penstock.json("explain", disk)
    below = [link for link in explained["chain"]["links"] if link["partial"] and link["what"] == "disk"]
    assert below, explained["chain"]["links"]
    said = penstock.set(disk, "--write-bps", "10M", "--layer", below[0]["name"], status=NOT_IN_FORCE)
    assert "page cache" in said.err
    assert cgroup.limits(container.cgroup, below[0]["device_number"]) == {"write_bps": 10_000_000}
    [limit] = _of(container, penstock.json("status", status=NOT_IN_FORCE)["limits"])
    assert limit["verdict"]["kind"] == "ineffective"
    penstock.clear(disk)
    assert cgroup.limits(container.cgroup, below[0]["device_number"]) == {}
