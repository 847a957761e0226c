# SPDX-License-Identifier: Apache-2.0
"""What is refused, what only looks, and what the exit status says."""
import json

import pytest

from parts import cgroup
from parts.penstock import NO_SUCH, REFUSED, USAGE

pytestmark = pytest.mark.qemu


@pytest.fixture(scope="module")
def guest(parts):
    return parts.qemu(disks=1, boot=False, extra=("-S",))


@pytest.fixture
def address(penstock, guest):
    found = penstock.address(guest.name, guest.loops[0])
    yield found
    penstock.run("clear", found, status=None)


def untouched(guest):
    return not cgroup.limits(cgroup.of_process(guest.pid), guest.loops[0].number) and \
        not any(guest.throttle("vd0").values())


@pytest.mark.parametrize("limit", [
    ("--write-bps", "0"), ("--write-bps", "-1"), ("--write-bps", "10X"), ("--write-bps", "ten"), ("--write-bps", ""),
    ("--write-bps", "1e30"), ("--write-iops", "1.5"), ("--write-bps",), ("--bogus", "1")],
    ids=" ".join)
def test_a_bad_value_is_a_usage_error_and_changes_nothing(penstock, guest, address, limit):
    said = penstock.run("set", address, *limit, status=None)
    assert said.status == USAGE and said.err, str(said)
    assert untouched(guest)


def test_iops_that_the_kernel_would_wrap_are_not_written(penstock, guest, address):
    said = penstock.set(address, "--write-iops", "4294967296", via="cgroup", status=None)
    assert said.status in (USAGE, REFUSED), str(said)
    assert untouched(guest)


def test_zero_names_the_way_to_clear(penstock, address):
    assert "clear" in penstock.run("set", address, "--write-bps", "0", status=USAGE).err


def test_a_limit_that_could_freeze_the_guest_is_refused_with_the_arithmetic(penstock, guest, address):
    said = penstock.set(address, "--write-bps", "1k", status=REFUSED)
    assert "--force" in said.err and "1 MiB" in said.err
    assert untouched(guest)
    penstock.run("set", address, "--write-bps", "1k", "--force")


def test_dry_run_tells_the_writes_and_makes_none(penstock, guest, address):
    before = cgroup.of_process(guest.pid)
    said = penstock.set(address, "--write-bps", "20M", "--dry-run", via="cgroup").out
    assert "20000000" in said and guest.loops[0].number in said
    assert cgroup.of_process(guest.pid) == before and untouched(guest)
    assert penstock.json("set", address, "--write-bps", "20M", "--dry-run")
    assert untouched(guest)


def test_an_unknown_name_gets_a_suggestion(penstock, guest, address):
    wrong = guest.name[:-1] + "x"
    said = penstock.run("set", f"{wrong}:vda", "--write-bps", "10M", status=NO_SUCH)
    assert guest.name in said.err
    said = penstock.run("show", f"{address}x", status=NO_SUCH)
    assert address.rpartition(":")[2] in said.err


@pytest.mark.parametrize("verb", [["list"], ["status"], ["plugins"], ["doctor"]], ids=lambda verb: verb[0])
def test_json_parses(penstock, guest, verb):
    result = penstock.run(*verb, "--json", status=None)
    assert result.status in (0, 6), str(result)
    assert isinstance(json.loads(result.out), dict)


@pytest.mark.parametrize("verb", ["list", "explain", "set", "show", "status", "clear", "plugins", "doctor"])
def test_help_shows_an_example(penstock, verb):
    assert f"penstock {verb}" in penstock.run(verb, "--help").out


def test_an_instance_is_found_by_kind_and_by_uuid(penstock, guest):
    for way in (guest.name, f"kvm/{guest.name}", guest.uuid):
        assert penstock.json("show", way)["id"] == guest.uuid


def test_two_disks_on_one_device_are_a_conflict(penstock, parts):
    loop = parts.loop()
    options = ["-S"]
    for number in range(2):
        options += ["-drive", f"file={loop.path},format=raw,if=none,id=drive{number},cache=none,file.locking=off",
                    "-device", f"virtio-blk-pci,drive=drive{number},id=vd{number},share-rw=on"]
    twin = parts.qemu(disks=0, boot=False, extra=options)
    penstock.set(f"{twin.name}:vd0", "--write-bps", "10M", via="cgroup")
    said = penstock.set(f"{twin.name}:vd1", "--write-bps", "20M", via="cgroup", status=REFUSED)
    assert "vd0" in said.err and loop.name in said.err
    assert cgroup.limits(cgroup.of_process(twin.pid), loop.number) == {"write_bps": 10_000_000}
    penstock.clear(f"{twin.name}:vd0")
