# SPDX-License-Identifier: Apache-2.0
"""Names that a tenant chose to do harm: they are listed, they can be addressed, and they reach no path and no shell."""
import os

import pytest

from parts import cgroup

NAMES = ["two words", "žlutý kůň 馬", "$(touch /var/tmp/penstock-owned)`id`;&|'\"", "../../../etc", "-rf", "a:b/c,d=e",
         "line\nbreak\x1b[2J", "n" * 200]


@pytest.fixture(scope="module")
def guests(parts):
    return [parts.qemu(disks=1, name=name, boot=False, extra=("-S",)) for name in NAMES]


@pytest.mark.qemu
def test_every_name_is_listed_as_it_is(penstock, guests):
    listed = {one["id"]: one["name"] for one in penstock.instances()}
    for guest, name in zip(guests, NAMES):
        if name.isprintable():
            assert listed[guest.uuid] == name
        else:
            assert guest.uuid in listed and listed[guest.uuid].isprintable()


@pytest.mark.qemu
def test_the_table_lets_no_control_character_through(penstock, guests):
    said = penstock.run("list").out
    assert "\x1b" not in said and "line\nbreak" not in said


@pytest.mark.qemu
@pytest.mark.parametrize("number", range(len(NAMES)), ids=[f"name{number}" for number in range(len(NAMES))])
def test_a_limit_can_be_set_whatever_the_name(penstock, guests, number):
    guest = guests[number]
    target = penstock.disk(guest.uuid, guest.loops[0])["target"]
    penstock.set(f"{guest.uuid}:{target}", "--write-bps", "10M", via="cgroup")
    folder = cgroup.of_process(guest.pid)
    assert cgroup.limits(folder, guest.loops[0].number) == {"write_bps": 10_000_000}
    assert cgroup.root() in folder.parents and ".." not in folder.parts
    assert all(character.isprintable() for character in str(folder))
    penstock.clear(f"{guest.uuid}:{target}")
    assert not os.path.exists("/var/tmp/penstock-owned")


@pytest.mark.qemu
@pytest.mark.parametrize("number", [0, 1, 2, 3], ids=lambda number: f"name{number}")
def test_an_instance_is_found_by_such_a_name(penstock, guests, number):
    assert penstock.json("show", NAMES[number])["id"] == guests[number].uuid


@pytest.mark.lxc
@pytest.mark.parametrize("name", ["two words", "žlutý"], ids=["space", "unicode"])
def test_a_container_with_such_a_name(penstock, parts, unique, name):
    container = parts.container(own_root=True, name=f"{unique('lxc')} {name}")
    address = penstock.address(container.name, container.root_loop)
    penstock.set(address, "--write-bps", "10M")
    assert cgroup.limits(container.cgroup, container.root_loop.number) == {"write_bps": 10_000_000}
    penstock.clear(address)
